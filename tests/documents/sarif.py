#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""sarif.py SIMRUN WORK SOURCE...: what --sarif writes for each source against the schema of SARIF 2.1.0 (OASIS, errata 01).

OBJECTS is the part of the schema that has what we write: every object of it forbids what it does not name
(additionalProperties: false). Where pip's pydantic-sarif is installed, which is made of the whole schema, that one is asked, too.
"""
import json
import pathlib
import re
import subprocess
import sys

LEVELS = ["none", "note", "warning", "error"]
# Kind of a property: a type, a list of words, [kind] for an array of it, {kind} for any names; "!" behind what must be there.
OBJECTS = {
    "log": {"$schema": str, "version!": ["2.1.0"], "runs!": ["run", None]},
    "run": {"tool!": "tool", "invocations": ["invocation", None], "originalUriBaseIds": {"artifactLocation"},
            "columnKind": ["utf16CodeUnits", "unicodeCodePoints"], "results": ["result", None], "properties": dict},
    "tool": {"driver!": "toolComponent"},
    "toolComponent": {"name!": str, "version": str, "rules": ["reportingDescriptor", None]},
    "reportingDescriptor": {"id!": str, "shortDescription": "multiformatMessageString", "fullDescription": "multiformatMessageString",
                            "help": "multiformatMessageString", "defaultConfiguration": "reportingConfiguration"},
    "multiformatMessageString": {"text!": str, "markdown": str},
    "reportingConfiguration": {"level": LEVELS},
    "invocation": {"commandLine": str, "exitCode": int, "executionSuccessful!": bool, "exitSignalName": str, "exitSignalNumber": int,
                   "exitCodeDescription": str, "toolExecutionNotifications": ["notification", None]},
    "notification": {"level": LEVELS, "message!": "message"},
    "message": {"text": str},
    "artifactLocation": {"uri": str, "uriBaseId": str, "description": "message"},
    "result": {"ruleId": str, "ruleIndex": 0, "level": LEVELS, "message!": "message", "locations": ["location", None],
               "relatedLocations": ["location", None], "codeFlows": ["codeFlow", None], "occurrenceCount": 1,
               "partialFingerprints": {str}, "properties": dict},
    "location": {"id": 0, "physicalLocation": "physicalLocation", "logicalLocations": ["logicalLocation", None], "message": "message"},
    "physicalLocation": {"artifactLocation": "artifactLocation", "region": "region"},
    "region": {"startLine": 1, "startColumn": 1, "endColumn": 1},
    "logicalLocation": {"name": str, "kind": str},
    "codeFlow": {"message": "message", "threadFlows!": ["threadFlow", None]},
    "threadFlow": {"id": str, "message": "message", "locations!": ["threadFlowLocation", None]},
    "threadFlowLocation": {"location": "location", "stack": "stack", "executionOrder": 0,
                           "importance": ["important", "essential", "unimportant"]},
    "stack": {"frames!": ["stackFrame", None]},
    "stackFrame": {"location": "location"},
}
URI = re.compile(r"[\w%.~!$&'()*+,;=:@/?#-]*")


def problems_of(value, kind, at):
    """What the schema does not allow of the value, a line each."""
    if isinstance(kind, str):
        known = OBJECTS[kind]
        if not isinstance(value, dict):
            return [f"{at}: no object"]
        kinds = {name.rstrip("!"): k for name, k in known.items()}
        out = [f"{at}: {kind} has no property {name}" for name in value if name not in kinds]
        out += [f"{at}: {kind} must have {name[:-1]}" for name in known if name.endswith("!") and name[:-1] not in value]
        for name, inner in value.items():
            out += problems_of(inner, kinds[name], f"{at}.{name}") if name in kinds else []
            if name == "uri" and not URI.fullmatch(str(inner)):
                out.append(f"{at}.uri: '{inner}' is no URI reference")
        return out
    if isinstance(kind, list) and kind[-1] is None:
        return [p for i, v in enumerate(value) for p in problems_of(v, kind[0], f"{at}[{i}]")]
    if isinstance(kind, list):
        return [] if value in kind else [f"{at}: {value} is none of {kind}"]
    if isinstance(kind, set):
        return [p for name, v in value.items() for p in problems_of(v, *kind, f"{at}.{name}")]
    if isinstance(kind, int) and not isinstance(kind, bool):  # the least number that it may be
        return [] if isinstance(value, int) and value >= kind else [f"{at}: {value} is no number from {kind} on"]
    return [] if isinstance(value, kind) else [f"{at}: {value} is no {kind.__name__}"]


def main():
    simrun, work = sys.argv[1], pathlib.Path(sys.argv[2])
    work.mkdir(parents=True, exist_ok=True)
    problems, results = [], 0
    bad = {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "results": [{"message": {}, "rank": 1, "ruleIndex": -7}]}]}
    if len(problems_of(bad, "log", "a defective log")) != 2:
        problems.append("the check finds nothing wrong with a defective log")
    for source in sys.argv[3:]:
        to = work / (pathlib.Path(source).stem + ".sarif")
        subprocess.run([simrun, source, "--check", "all", "--sarif", str(to)], capture_output=True, timeout=100, check=False)
        log = json.loads(to.read_text())
        results += sum(len(run["results"]) for run in log["runs"])
        problems += problems_of(log, "log", to.name)
        try:
            import pydantic_sarif.model as whole
            whole.StaticAnalysisResultsFormatSarifVersion210JsonSchema.model_validate(log)
            print(f"{to.name}: pydantic-sarif has no complaint")
        except ImportError:
            pass
        except ValueError as wrong:
            problems.append(f"{to.name}: {wrong}")
    for problem in problems:
        print(problem)
    print(f"{results} results, {len(problems)} problems")
    return 1 if problems or results < 3 else 0


if __name__ == "__main__":
    sys.exit(main())
