#!/usr/bin/env bash
# Build the editor of the console from the pinned packages, with their licences, into the package. Users never
# run this: what it writes is committed.
set -euo pipefail
cd "$(dirname "$0")"
static=$PWD/../../dpduck/doors/gateway/web/static
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp package.json editor.js "$scratch"
cd "$scratch"
npm install --silent --no-audit --no-fund
npx esbuild editor.js --bundle --format=esm --minify --legal-comments=none --target=es2022 --outfile="$static/editor.js"
{
  echo "editor.js holds the following packages, each under the licence below its name."
  node -e '
    const fs = require("fs");
    for (const name of Object.keys(require("./package.json").dependencies)) {
      const version = require(`./node_modules/${name}/package.json`).version;
      console.log(`\n${name} ${version}\n\n${fs.readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim()}`);
    }'
} >"$static/editor.LICENSE.txt"
