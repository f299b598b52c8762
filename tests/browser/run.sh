#!/bin/sh
# Runs the browser tests with any Node.js from 18 on; see main.mjs for what may be missing.
#   tests/browser/run.sh [REPORT...]      in the environment: CAROM_BIN, CAROM_BUILD_DIR
here=$(cd "$(dirname "$0")" && pwd)
if ! node -e 'process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)' 2> /dev/null; then
    if [ -n "${CAROM_BROWSER_REQUIRED:-}${CI:-}" ]; then
        echo "FAILED: the browser tests need Node.js; 'tools/setup test' installs it" >&2
        exit 1
    fi
    echo "SKIPPED: the browser tests need Node.js; 'tools/setup test' installs it" >&2
    exit 77
fi
exec node --test-reporter=spec "$here/main.mjs" "$@"
