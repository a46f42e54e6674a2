// SPDX-License-Identifier: Apache-2.0
// The options of verbs that run no single program, as their parsers have them: each verb declares its own in one
// function, which its parser calls, and who tells what there is (completion.cpp) calls, too.
#pragma once

namespace CLI {
class App;
}

namespace simt::cli {

struct run_options;

// Verbs of few options, all of run_options.
enum class plain_verb { list, devices, explain, completion };
void add_plain_options(CLI::App& app, run_options& o, plain_verb verb);

// For looking at: what is parsed with them is lost.
void declare_campaign_options(CLI::App& app);
void declare_merge_options(CLI::App& app);

}  // namespace simt::cli
