# Sourced by the commands beside it. Sets `root`, and offers
#
#   use_bun               put the pinned Bun first on PATH
#   use_deno              put the pinned Deno first on PATH
#   install_dependencies  fill node_modules/ as bun.lock says; with the word production, only what the product needs
#   build_program         bundle the program into dist/tracelake.js: it starts in half the time of its sources; and build its UI
#   build_ui              build the web UI into dist/ui/
#   build_guide           build the guide into dist/guide/; the first time with packages of its own, from the npm registry
#
# What is missing comes from the npm registry into .tools/, by way of npm or of any Bun there is. Install scripts never run (npm may
# block them): the executables lie in packages of their own, one for each platform, and the one that runs here is taken.

set -eu
# Commands are in scripts/ or a folder below it.
root=$(cd "$(dirname "$0")" && pwd)
while [ ! -f "$root/package.json" ] && [ "$root" != / ]; do root=$(dirname "$root"); done

# pinned NAME: the version that package.json asks for.
pinned() {
  sed -n 's/.*"'"$1"'": *"\([0-9][0-9.]*\)".*/\1/p' "$root/package.json" | head -n 1
}

# runs EXECUTABLE VERSION: whether it starts here and is that version. Bun prints "1.2.3", Deno "deno 1.2.3 (…".
runs() {
  case "$("$1" --version 2>/dev/null | head -n 1)" in
    "$2" | "$2 "* | "deno $2" | "deno $2 "*) return 0 ;;
    *) return 1 ;;
  esac
}

use_bun() { use_tool bun; }
use_deno() { use_tool deno; }

# use_tool NAME: takes it from PATH, from .tools/, or from the registry, in this order.
use_tool() {
  version=$(pinned "$1")
  if command -v "$1" >/dev/null 2>&1 && runs "$1" "$version"; then return; fi
  tool_home="$root/.tools/$1-$version"
  if ! runs "$tool_home/$1" "$version"; then fetch_tool "$1" "$version" "$tool_home"; fi
  PATH="$tool_home:$PATH"
  export PATH
}

# fetch_tool NAME VERSION HOME: downloads the package and moves its executable to HOME/NAME. Two at a time do not disturb each other.
fetch_tool() {
  echo "Fetching $1 $2 from the npm registry into .tools/ (once)" >&2
  stage="$root/.tools/stage-$$"
  mkdir -p "$stage" "$3"
  echo "{ \"private\": true, \"dependencies\": { \"$1\": \"$2\" } }" >"$stage/package.json"
  if command -v npm >/dev/null 2>&1; then
    (cd "$stage" && npm install --ignore-scripts --no-package-lock --no-audit --no-fund --loglevel=error) >&2 || fetch_failed "$1" "$2"
  elif command -v bun >/dev/null 2>&1; then
    (cd "$stage" && bun install --ignore-scripts) >&2 || fetch_failed "$1" "$2"
  else
    rm -rf "$stage"
    echo "$1 $2 is missing and there is neither npm nor any Bun to fetch it with: install Node.js or Bun" >&2
    exit 1
  fi
  find "$stage/node_modules" -type f \( -path "*/@oven/bun-*/bin/bun*" -o -path "*/@deno/*/deno*" \) >"$stage/found"
  while IFS= read -r executable; do
    chmod +x "$executable"
    if runs "$executable" "$2"; then
      mv -f "$executable" "$3/$1"
      break
    fi
  done <"$stage/found"
  rm -rf "$stage"
  runs "$3/$1" "$2" || fetch_failed "$1" "$2"
}

fetch_failed() {
  rm -rf "$stage"
  echo "Fetching $1 $2 failed: the npm registry has to be reachable, and $1 has to exist for $(uname -sm)" >&2
  exit 1
}

# install_dependencies [production]: what the tests and checks need is three quarters of everything, so the product installs without it.
# Copies of bun.lock inside node_modules/ say what was installed last, so a second start compares two files and goes on.
install_dependencies() {
  whole="$root/node_modules/.installed-bun.lock"
  part="$root/node_modules/.installed-production-bun.lock"
  if cmp -s "$root/bun.lock" "$whole"; then return; fi
  if [ "${1:-}" = production ]; then
    if cmp -s "$root/bun.lock" "$part"; then return; fi
    rm -f "$whole" "$part"
    (cd "$root" && bun install --frozen-lockfile --production) >&2
    cp "$root/bun.lock" "$part"
  else
    rm -f "$whole" "$part"
    (cd "$root" && bun install --frozen-lockfile) >&2
    cp "$root/bun.lock" "$whole"
  fi
}

# Builds only where a source is newer. What only some requests need lies in files of its own beside, named for their content, so a server
# that runs keeps its own. The first file has another name at first, so that a start beside it never reads half of it.
build_program() {
  build_ui
  program="$root/dist/tracelake.js"
  if [ -f "$program" ] && [ -z "$(find "$root/src" "$root/package.json" "$root/bun.lock" -newer "$program" -print)" ]; then return; fi
  mkdir -p "$root/dist"
  (cd "$root" && bun build src/start.ts --target=bun --splitting --external '@duckdb/node-bindings*' --outdir dist --entry-naming "tracelake-$$.js" >/dev/null)
  mv -f "$root/dist/tracelake-$$.js" "$program"
}

build_ui() {
  page="$root/dist/ui/index.html"
  if [ -f "$page" ] && [ -z "$(find "$root/src/web" "$root/scripts/ui" "$root/bun.lock" -newer "$page" -print)" ]; then return; fi
  (cd "$root" && bun scripts/ui/main.ts)
}

build_guide() {
  page="$root/dist/guide/index.html"
  if [ -f "$page" ] && [ -z "$(find "$root/docs" "$root/scripts/guide" "$root/src/web/style" "$root/README.md" "$root/CHANGELOG.md" -name node_modules -prune -o -newer "$page" -print)" ]; then return; fi
  guide_lock="$root/scripts/guide/node_modules/.installed-bun.lock"
  if ! cmp -s "$root/scripts/guide/bun.lock" "$guide_lock"; then
    (cd "$root/scripts/guide" && bun install --frozen-lockfile --ignore-scripts) >&2
    cp "$root/scripts/guide/bun.lock" "$guide_lock"
  fi
  (cd "$root" && bun scripts/guide/main.ts)
}
