// SPDX-License-Identifier: Apache-2.0
#include "app/commands/commands.h"
#include "app/commands/completion.h"
#include "app/exit_code.h"
#include "engine/base/error.h"
#include "engine/base/sentences.h"
#include "engine/base/shown_text.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

// The scripts know nothing about commands: at each word they call `accrue completion words --
// WORD…` with the words so far, the last one unfinished. It prints which paths the shell is to add
// (none, files, folders) and then a line for each candidate: the word, a tab and what it means. So
// a script never has to be renewed.
namespace accrue {

namespace {

struct ShellScript {
    std::string_view shell;
    std::string_view text;
};

constexpr std::array kScripts {
    ShellScript {
        "bash", R"bash(# Completes the words of accrue in bash: source <(accrue completion bash)
_accrue() {
    local words=() rest=${COMP_LINE:0:COMP_POINT} prefix= mark line word i
    # Bash splits at = and : as well. What has no blank before it belongs to the word before.
    for ((i = 0; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if ((i == 0)) || [[ $rest == [[:space:]]* ]]; then
            rest=${rest#"${rest%%[![:space:]]*}"}
            words+=("${word:0:${#rest}}")
        else
            words[-1]+=${word:0:${#rest}}
        fi
        rest=${rest:${#word}}
    done
    local current=${words[-1]}
    # Only what follows the last split is replaced; between quotation marks nothing is split.
    if [[ $current != [\"\']* ]]; then
        for mark in = :; do
            line=${current%"${current##*"$mark"}"}
            [[ $COMP_WORDBREAKS == *"$mark"* && ${#line} -gt ${#prefix} ]] && prefix=$line
        done
    fi
    local found=()
    mapfile -t found < <("${1/#\~/$HOME}" completion words -- "${words[@]:1}" 2>/dev/null)
    COMPREPLY=()
    for line in "${found[@]:1}"; do
        word=${line%%$'\t'*}
        word=${word#"$prefix"}
        [[ ${found[0]} != none || $current == [\"\']* ]] || printf -v word %q "$word"
        COMPREPLY+=("$word")
    done
    case ${found[0]} in
    files | folders)
        compopt -o filenames
        [[ ${found[0]} == files ]] && mark=-f || mark=-d
        mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen "$mark" -- "${current#"$prefix"}")
        ;;
    esac
    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
    return 0
}
complete -F _accrue accrue
)bash" },
    ShellScript { "zsh", R"zsh(#compdef accrue
# Completes the words of accrue in zsh. Write it to a file _accrue in a folder of $fpath, or:
# source <(accrue completion zsh)
_accrue() {
    local program=${(Q)words[1]/#\~/$HOME} line word
    local -a found whole open
    found=("${(@f)$("$program" completion words -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
    for line in "${(@)found[2,-1]}"; do
        word=${${line%%$'\t'*}//:/\\:}
        # A value follows in the same word.
        if [[ $word == *= ]]; then
            open+=("$word:${line#*$'\t'}")
        else
            whole+=("$word:${line#*$'\t'}")
        fi
    done
    local tried=1
    (($#whole)) && _describe -V 'accrue' whole && tried=0
    (($#open)) && _describe -V 'accrue' open -S '' && tried=0
    case $found[1] in
    files) compset -P '*='; _files && tried=0 ;;
    folders) compset -P '*='; _files -/ && tried=0 ;;
    esac
    return tried
}
if [[ $funcstack[1] == _accrue ]]; then
    _accrue "$@"
else
    compdef _accrue accrue
fi
)zsh" },
    ShellScript {
        "fish", R"fish(# Completes the words of accrue in fish: accrue completion fish | source
function __accrue_words
    set -l words (commandline -opc)
    set -l program $words[1]
    set -e words[1]
    set -l current (commandline -ct)
    set -l found ($program completion words -- $words "$current" 2>/dev/null)
    # --db=FILE: the shell completes the part after the sign.
    set -l before (string match -r -- '^.*=' "$current")
    set -l path (string replace -- "$before" '' "$current")
    switch "$found[1]"
        case files
            string replace -r -- '^' "$before" (__fish_complete_path "$path")
        case folders
            string replace -r -- '^' "$before" (__fish_complete_directories "$path" '')
    end
    set -e found[1]
    printf '%s\n' $found
end
complete -c accrue -f -k -a '(__accrue_words)'
)fish" },
};

std::string_view nameOf(Completion::Paths paths)
{
    static constexpr std::array kNames { "none", "files", "folders" };
    return kNames.at(static_cast<std::size_t>(paths));
}

int printWords(const std::vector<std::string>& words, Console& console)
{
    const Completion found = completionOf(words);
    std::string lines = std::string(nameOf(found.paths)) + "\n";
    for (const Completion::Candidate& candidate : found.candidates)
        lines += candidate.word + "\t" + madeOneLine(candidate.meaning) + "\n";
    console.print(lines);
    return kExitDone;
}

} // namespace

int completionCommand(const Arguments& arguments, Console& console)
{
    const std::vector<std::string>& words = arguments.operands;
    if (!words.empty() && words.front() == "words")
        return printWords({ words.begin() + 1, words.end() }, console);
    const auto* const script = std::find_if(kScripts.begin(), kScripts.end(),
        [&](const ShellScript& each) { return words.size() == 1 && each.shell == words.front(); });
    if (script == kScripts.end()) {
        std::vector<std::string> shells;
        for (const ShellScript& each : kScripts)
            shells.emplace_back(each.shell);
        throw InputError(Message("cli.shell_needed", { { "shells", commaList(shells) } }));
    }
    console.printResult(
        arguments.json, { { "shell", script->shell }, { "script", script->text } }, script->text);
    return kExitDone;
}

} // namespace accrue
