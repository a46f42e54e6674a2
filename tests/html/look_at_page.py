#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""look_at_page.py SIMRUN SOURCE.cu WORK: the HTML report in headless Chromium.

A script that is put into a copy of the page measures it there: every drawing has a size, no text of a drawing leaves
it or lies on another, the touched element is marked, and nothing was loaded from anywhere. Then pages that are broken
on purpose must fail the same look. Ends with 77 where there is no Chromium.
"""
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

LOOK = """<script>
addEventListener('load', () => {
  const found = {problems: [], drawings: [], loaded: performance.getEntriesByType('resource').length +
                 document.querySelectorAll('link, img, image, use, iframe, object, [src], [style*=url]').length};
  for (const svg of document.querySelectorAll('svg')) {
    let card = svg.closest('details');
    while (card) { card.open = true; card = card.parentElement.closest('details'); }
    const whole = svg.getBoundingClientRect();
    if (whole.width < 300 || whole.height < 30) found.problems.push('a drawing has no size');
    const texts = [...svg.querySelectorAll('text')].map(t => [t.textContent, t.getBoundingClientRect()]);
    for (const [words, r] of texts) {
      if (r.width === 0) found.problems.push('text cannot be seen: ' + words);
      if (r.left < whole.left - 1 || r.right > whole.right + 1 || r.top < whole.top - 1 || r.bottom > whole.bottom + 1)
        found.problems.push('text leaves its drawing: ' + words);
      for (const [others, o] of texts)
        if (o !== r && r.left < o.right - 1 && o.left < r.right - 1 && r.top < o.bottom - 2 && o.top < r.bottom - 2)
          found.problems.push('texts on each other: ' + words + ' / ' + others);
    }
    found.drawings.push({texts: texts.map(t => t[0]), touched: svg.querySelectorAll('.touched').length,
                         steps: svg.querySelectorAll('.step').length, outside: svg.querySelectorAll('.outside').length,
                         barriers: svg.querySelectorAll('.barrier').length});
  }
  const out = document.createElement('pre');
  out.id = 'what-was-found';
  out.textContent = JSON.stringify(found);
  document.body.append(out);
});
</script>"""


def chromium():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if shutil.which(name):
            return name
    print("no Chromium here: the page was not looked at (Debian: chromium)")
    sys.exit(77)


def looked_at(browser, page, work):
    copy = work / "looked_at.html"
    copy.write_text(page.replace("</body>", LOOK + "</body>"))
    home = work / "home"
    home.mkdir(exist_ok=True)
    done = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=2000",
                           "--window-size=1100,1400", f"--user-data-dir={home}", "--dump-dom", copy.as_uri()],
                          capture_output=True, text=True, timeout=200, env={**os.environ, "HOME": str(home)})
    found = re.search(r'id="what-was-found">(.*?)</pre>', done.stdout, re.S)
    if not found:
        print(f"Chromium gave no page: exit code {done.returncode}\n{done.stderr[-1500:]}")
        sys.exit(1)
    return json.loads(html.unescape(found[1]))


def report(simrun, source, work, *arguments):
    page = work / "page.html"
    env = {**os.environ, "SIMT_CACHE_DIR": str(work / "cache")}
    done = subprocess.run([simrun, source, "--check", "races,memory", "--html", str(page), "--", *arguments],
                          capture_output=True, text=True, timeout=200, env=env)
    return done.returncode, page.read_text()


def main():
    browser = chromium()
    simrun, source, work = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    problems = []

    def expect(holds, what):
        if not holds:
            problems.append(what)

    code, page = report(simrun, source, work, "defects")
    expect(code == 3, f"simrun ends with {code}, not 3")
    expect(not re.search(r"(?:src|href|xlink:href)\s*=|url\(|@import|<link", page), "the page names a resource")
    found = looked_at(browser, page, work)
    problems += found["problems"]
    expect(found["loaded"] == 0, f"{found['loaded']} resources were loaded")
    races = [d for d in found["drawings"] if d["steps"] == 2]
    outside = [d for d in found["drawings"] if d["steps"] == 0 and d["outside"] > 0]
    expect(len(races) >= 1, "no race is drawn")
    expect(len(outside) == 1, f"{len(outside)} accesses out of bounds are drawn, not 1")
    for drawing in found["drawings"]:
        expect(drawing["touched"] == 1, f"{drawing['touched']} elements are marked, not 1")
    for drawing in races:
        words = " | ".join(drawing["texts"])
        expect(drawing["barriers"] == 1, "the last barrier is not drawn")
        expect(re.search(r"barrier 1\b", words), f"which barrier is not said: {words}")
        expect(re.search(r"writes [^|]*line 11", words) and re.search(r"reads[^|]*line 12", words),
               f"the steps are not told: {words}")
        expect("thread (" in words, f"the threads are not named: {words}")
    expect(any("1024" in d["texts"] or "1028" in str(d["texts"]) for d in outside), "where it went is not told")

    code, clean = report(simrun, source, work)
    expect(code == 0, f"the clean twin ends with {code}")
    expect(not looked_at(browser, clean, work)["drawings"], "the clean twin has a drawing")

    # Does the look see what it should?
    broken = looked_at(browser, page.replace('class="conflict" role', 'style="min-width:0;width:90px" class="conflict" role'), work)
    expect(broken["problems"], "a drawing that is too small was not seen")
    broken = looked_at(browser, re.sub(r'(<text x=")\d+(" y=")\d+', r"\g<1>300\g<2>40", page), work)
    expect(broken["problems"], "texts on each other were not seen")
    (work / "other.css").write_text("p { color: red }")
    broken = looked_at(browser, page.replace("</head>", '<link rel="stylesheet" href="other.css"></head>'), work)
    expect(broken["loaded"], "a resource that is loaded was not seen")

    for problem in problems:
        print(problem)
    print(f"{len(found['drawings'])} drawings looked at, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
