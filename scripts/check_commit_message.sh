#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks a commit message's first line: "PREFIX: imperative sentence", at most 72 characters.
#   scripts/check_commit_message.sh FILE
set -euo pipefail
subject=$(head -n 1 "$1")
case $subject in Merge\ * | Revert\ *) exit 0 ;; esac
if [ ${#subject} -gt 72 ]; then
    echo "The subject has ${#subject} characters; 72 are allowed: $subject" >&2
    exit 1
fi
if ! [[ $subject =~ ^(feat|fix|perf|refactor|test|docs|build|ci|chore)(\([a-z_/]+\))?:\ [^\ ].*[^.]$ ]]; then
    echo "The subject should read like 'fix: keep the tail of an epoch': one of feat, fix, perf, refactor, test, docs, build, ci, chore; no full stop. It is: $subject" >&2
    exit 1
fi
