import { expect, test } from 'bun:test'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Measure, measureHouse } from './house.ts'
import { longLines } from './long-lines.ts'

const root = path.join(import.meta.dir, '../..')

const tidy: Record<string, string> = {
  'package.json': '{ "name": "house-test", "type": "module", "bin": "src/start.ts" }',
  'src/start.ts': "import { parse } from './query/parse.ts'\nimport { b } from './store/a/b.ts'\nparse(b)\n",
  'src/query/parse.ts': [
    '/** Mentions weave and wb_run_id, which comments may. */',
    'export function parse(operator: string): number {',
    '  switch (operator) {',
    ...'$and $or $not $eq $gt $gte $lt $lte $in $contains $literal $getField'
      .split(' ')
      .map((operator) => `    case '${operator}':`),
    '      return 1',
    '  }',
    '  return 0',
    '}',
    '',
  ].join('\n'),
  'src/store/a/b.ts': "export const b = '$eq'\n",
  'src/api/c.test.ts': "import { parse } from '../query/parse.ts'\nparse('weave')\n",
  'docs/a.md': `# A\n\n| ${'a table may be wide '.repeat(10)} |\n\n- <https://example.com/${'x'.repeat(130)}>\n`,
}

/** Measures a repository that contains `files`; by name of the measure. */
async function houseOf(files: Record<string, string>): Promise<Map<string, Measure>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tracelake-house-test-'))
  try {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true })
      await Bun.write(path.join(folder, name), text)
    }
    return new Map((await measureHouse(root, folder)).map((measure) => [measure.name, measure]))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const limited = [
  'folder cycles, two levels deep',
  'files that name the query time limit',
  'files outside dialect/ with dialect words',
  'unused exports',
  'lines over 120 columns in src and docs',
]

test('a tidy repository meets every limit', async () => {
  const house = await houseOf(tidy)
  for (const name of limited) expect(house.get(name)).toMatchObject({ name, value: 0 })
  expect(house.get('grammars of the query language')?.value).toBe(1)
  expect(house.get('source files')?.value).toBe(3)
  expect(house.get('source lines')?.value).toBe(23)
  expect(house.get('lines of the longest file')).toMatchObject({ value: 19, remark: 'src/query/parse.ts' })
})

test('violations are counted', async () => {
  const house = await houseOf({
    ...tidy,
    'src/start.ts': `${tidy['src/start.ts']}import './model/limit.ts'\nimport './query/second.ts'\nimport './query/shape.ts'\n`,
    // A second parser of the same language, and an unused list of its operators.
    'src/query/second.ts': tidy['src/query/parse.ts']!.replace('export ', 'export const other = 1\n'),
    'src/query/shape.ts': `const operators = {\n${'$and $or $not $eq $gt $gte $lt $lte $in $contains $size $literal'.split(' ').join(': 1, ')}: 1 }\nvoid operators\n`,
    'src/store/a/b.ts': "import { d } from '../c/d.ts'\nexport const b = d\n",
    'src/store/c/d.ts': "import { e } from '../a/e.ts'\nexport const d = e\n",
    'src/store/a/e.ts': 'export const e = `wb_`\n',
    'src/model/limit.ts': `const queryTimeoutMs = 1\nvoid queryTimeoutMs // ${'as long as it takes '.repeat(10)}\n`,
    'docs/b.md': `${'words '.repeat(30)}\n`,
  })
  expect(limited.map((name) => house.get(name)?.value)).toEqual([1, 1, 1, 1, 2])
  expect(house.get('unused exports')?.found).toEqual(['src/query/second.ts: other'])
  expect(house.get('grammars of the query language')?.value).toBe(3)
})

test('only breakable lines count as too long', () => {
  const url = `https://example.com/${'x'.repeat(120)}`
  expect(
    longLines(
      ['short', 'a '.repeat(61), url, `  // ${url}`, `see ${url}`, 'ä'.repeat(60) + ' ä'.repeat(30)].join('\n'),
    ),
  ).toEqual([2, 5])
})

test('a state that is neither a folder nor a commit is rejected', async () => {
  const child = Bun.spawn([process.execPath, 'scripts/house/main.ts', '--before', 'no-such-state'], {
    cwd: root,
    stdout: 'ignore',
    stderr: 'pipe',
  })
  expect(await new Response(child.stderr).text()).toContain('Check out "no-such-state": it is neither')
  expect(await child.exited).toBe(1)
})
