# Sourced by scripts/test and by the suites that consist of "bun test", after runtime.sh. Offers
#
#   begin_tests           count from zero, in a folder of this run for everything temporary
#   run_tests TITLE COMMAND...
#                         run a "bun test" and add up what its last lines say ("12 pass", "1 fail")
#   count_failure         count something else that has failed
#   end_tests             repeat the failures, print "N passed, N failed", and exit
#
# and in `bun_test` the command that runs test files. Each test has five minutes, so that none fails because the machine
# is busy. Three workers take the files in turn, even on two cores, because tests wait half of the time; each worker
# keeps its shared server, its browser and what they hold for all of its files. The slowest files come first, so that no
# worker ends long after the others: scripts/test-timings.json has their milliseconds, which "--update-timings" measures
# again. A file that is not listed counts as an average one, as long as most are listed.

bun_test="bun test --timeout 300000 --parallel=3 --no-isolate --no-orphans --timings=scripts/test-timings.json"

# The folders of the tests. Every test file is in one of these lists, in one only, as scripts/test-folders.test.ts checks;
# CONTRIBUTING.md has the rule. Each list but the first is a suite of that name.
everyday_tests="./src ./scripts ./test/cli ./test/conformance ./test/docs ./test/executable ./test/golden ./test/operations ./test/otel-conventions ./test/providers ./test/sdk ./test/semconv-cases ./test/upgrade ./test/views"
browser_tests="./test/ui"
store_tests="./test/store ./test/erasure"
bench_tests="./test/bench"
crash_tests="./test/crash ./test/fuzz ./test/torture"

begin_tests() {
  passed=0
  failed=0
  # A worker that is ended removes nothing.
  TMPDIR=$(mktemp -d)
  export TMPDIR
  trap 'rm -rf "$TMPDIR"' EXIT
  log="$TMPDIR/log"
  : >"$log.failures"
}

run_tests() {
  echo
  echo "== $1"
  run_title=$1
  shift
  { status=0; "$@" || status=$?; echo "$status" >"$log.status"; } 2>&1 | tee "$log"
  run_passed=$(counted pass)
  run_failed=$(counted fail)
  # A runner that dies early, or finds nothing to run, prints no count of failures.
  failures <"$log" >"$log.run-failures"
  if [ "$(cat "$log.status")" -ne 0 ] && [ "$run_failed" -eq 0 ]; then
    run_failed=1
    echo "ended with status $(cat "$log.status") before it counted" >>"$log.run-failures"
  fi
  if [ -s "$log.run-failures" ]; then { echo "== failures: $run_title"; cat "$log.run-failures"; } >>"$log.failures"; fi
  passed=$((passed + run_passed))
  failed=$((failed + run_failed))
}

count_failure() { failed=$((failed + 1)); }

end_tests() {
  echo
  # Said once more where the eye falls: a suite prints thousands of lines. .ci/run says it again after the last suite.
  cat "$log.failures"
  if [ -n "${TRACELAKE_TEST_FAILURES:-}" ]; then cat "$log.failures" >>"$TRACELAKE_TEST_FAILURES"; fi
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
}

# failures: of the output of "bun test", each "(fail)" line with the name of its file and what was printed for that
# test: its last 60 lines; and each error outside of tests, such as a file that could not be imported. The list of all
# failed tests that Bun prints at the end of a long run would repeat them.
failures() {
  awk '
    /^[^ ]+\.test\.tsx?:$/ { file = $0; next }
    /^# Unhandled error between tests$/ { print; rules = 2; next }
    /worker crashed/ { print; next }
    rules > 0 { print; if (/^-+$/) rules--; next }
    /^[0-9]+ tests? failed:$/ { exit }
    /^\(fail\)/ { print file; for (line = (count > 60 ? count - 60 : 0); line < count; line++) print printed[line]; print }
    /^\((pass|fail|skip|todo)\)/ { count = 0; next }
    { printed[count++] = $0 }
  '
}

counted() {
  count=$(sed -n 's/^ *\([0-9][0-9]*\) '"$1"'$/\1/p' "$log" | tail -n 1)
  echo "${count:-0}"
}

# Servers on Bun run the bundle, servers on Deno take the web UI as it was built, and every server the guide.
build_for_tests() {
  build_program
  build_guide
  export TRACELAKE_TEST_PROGRAM="$root/dist/tracelake.js"
}
