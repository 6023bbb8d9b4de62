import { describe, expect, test } from 'bun:test'
import { ProjectObjects } from '../support/objects.ts'
import { expectRefusal } from '../support/refusals.ts'
import { ownServer, sharedServer } from '../support/target.ts'

const server = await sharedServer()
const bases = ['BaseObject', 'BaseModel']
const column = { evaluation_object_ref: 'ext:///e/p/object/eval:v0', scorer_name: 's', summary_metric_path: 'a.b' }

const accepted: [string, unknown, unknown][] = [
  [
    'Leaderboard',
    { columns: [column], name: 'board', unknown: 1 },
    {
      _type: 'Leaderboard',
      name: 'board',
      description: null,
      columns: [
        {
          _type: 'LeaderboardColumn',
          ...column,
          should_minimize: null,
          _class_name: 'LeaderboardColumn',
          _bases: ['BaseModel'],
        },
      ],
      _class_name: 'Leaderboard',
      _bases: bases,
    },
  ],
  [
    'AnnotationSpec',
    { field_schema: { type: 'number', maximum: 1 } },
    {
      _type: 'AnnotationSpec',
      name: null,
      description: null,
      field_schema: { type: 'number', maximum: 1 },
      unique_among_creators: false,
      op_scope: null,
      _class_name: 'AnnotationSpec',
      _bases: bases,
    },
  ],
  [
    'ProviderModel',
    { provider: 'digest', max_tokens: 4096 },
    {
      _type: 'ProviderModel',
      name: null,
      description: null,
      provider: 'digest',
      max_tokens: 4096,
      _class_name: 'ProviderModel',
      _bases: bases,
    },
  ],
  [
    'Provider',
    { base_url: 'https://api.example.com/v1', api_key_name: 'KEY', return_type: 'openai' },
    {
      _type: 'Provider',
      name: null,
      description: null,
      base_url: 'https://api.example.com/v1',
      api_key_name: 'KEY',
      extra_headers: {},
      return_type: 'openai',
      _class_name: 'Provider',
      _bases: bases,
    },
  ],
  [
    'ComparisonView',
    { label: 'l', definition: { evaluation_call_ids: ['a'] } },
    {
      _type: 'ComparisonView',
      name: null,
      description: null,
      label: 'l',
      definition: {
        _type: 'ComparisonViewDefinition',
        evaluation_call_ids: ['a'],
        selected_metrics: null,
        _class_name: 'ComparisonViewDefinition',
        _bases: ['BaseModel'],
      },
      _class_name: 'ComparisonView',
      _bases: bases,
    },
  ],
  [
    'TestOnlyInheritedBaseObject',
    { b: 1, c: 2 },
    {
      _type: 'TestOnlyInheritedBaseObject',
      name: null,
      description: null,
      b: 1,
      c: 2,
      additional_field: 'default_value',
      _class_name: 'TestOnlyInheritedBaseObject',
      _bases: ['TestOnlyNestedBaseObject', ...bases],
    },
  ],
]

describe('built-in classes', () => {
  test.each(accepted)('%s gets its defaults in the member order of the class', async (name, val, complete) => {
    const objects = new ProjectObjects(server)
    await objects.create('a', val, { builtin_object_class: name })
    const { obj } = (await objects.askRead('a', 'v0')).json
    expect(JSON.stringify(obj.val)).toBe(JSON.stringify(complete))
    expect(obj.leaf_object_class).toBe(name)
  })

  test('base classes are those before the common ones', async () => {
    const objects = new ProjectObjects(server)
    await objects.create('a', { b: 1, c: 2 }, { builtin_object_class: 'TestOnlyInheritedBaseObject' })
    await objects.create('b', { llm_model_id: 'gpt' }, { set_base_object_class: 'LLMStructuredCompletionModel' })
    await objects.create(
      'c',
      { b: 1 },
      { builtin_object_class: 'TestOnlyNestedBaseObject', set_base_object_class: 'no' },
    )
    const classes = (await objects.query()).map((obj) => [obj.base_object_class, obj.leaf_object_class])
    expect(classes).toEqual([
      ['TestOnlyNestedBaseObject', 'TestOnlyInheritedBaseObject'],
      ['Model', 'LLMStructuredCompletionModel'],
      ['TestOnlyNestedBaseObject', 'TestOnlyNestedBaseObject'],
    ])
  })

  test.each([
    ['with defaults', {}, '2xqwmfWtqCL7VPjZ5eCWqjnRXvqIXsj17UXGMLNql68'],
    ['with an unknown parameter, which is dropped', { x: 1 }, '2xqwmfWtqCL7VPjZ5eCWqjnRXvqIXsj17UXGMLNql68'],
    [
      'with messages in parts',
      {
        messages_template: [
          { role: 'user', content: [{ type: 'text', text: 'x' }] },
          { role: 'tool', content: null, tool_call_id: 't', function_call: { name: 'f', arguments: '{}' } },
        ],
        functions: [{ name: 'f', p: 1 }],
        n_times: 2,
        top_p: 0.5,
      },
      'rkRYPvk0A8i2EFsV1mLR8yiKzOcBS3JfEApBVsz71fw',
    ],
  ])('a completion model %s has the digest that the Python client 0.54.0 computes', async (_, params, digest) => {
    const weave = await ownServer({ env: { TRACELAKE_DIALECT: 'weave' } })
    for (const client of [server, weave.client]) {
      const objects = new ProjectObjects(client)
      const more = { builtin_object_class: 'LLMStructuredCompletionModel' }
      const val = { llm_model_id: 'gpt-4o', ...(Object.keys(params).length > 0 && { default_params: params }) }
      expect(await objects.create('a', val, { ...more, expected_digest: digest })).toBe(digest)
      expect((await objects.read('a')).val).toMatchObject({ ref: null, llm_model_id: 'gpt-4o' })
    }
    const full = {
      name: 'n',
      description: 'd',
      llm_model_id: 'gpt-4o',
      default_params: {
        temperature: 1,
        max_tokens: 5,
        messages_template: [{ role: 'system', content: 'Hi {x}' }],
        response_format: 'json_object',
        stop: ['a'],
      },
    }
    const objects = new ProjectObjects(server)
    expect(await objects.create('a', full, { builtin_object_class: 'LLMStructuredCompletionModel' })).toBe(
      'okY1dLCIYv92Y9bF08dd5PhXQIHFD4WCyXBXivgeBX4',
    )
  })

  test('floats are written with a fraction, integers without', async () => {
    const objects = new ProjectObjects(server)
    const more = { builtin_object_class: 'LLMStructuredCompletionModel' }
    await objects.create('a', { llm_model_id: 'm', default_params: { temperature: 1, max_tokens: 5 } }, more)
    expect((await objects.askRead('a', 'v0')).text).toContain('"temperature":1.0,"top_p":null,"max_tokens":5,')
    await objects.create('b', { spec: { threshold: 0.5, own: { x: 1 } } }, { builtin_object_class: 'AlertSpec' })
    expect((await objects.askRead('b', 'v0')).text).toContain('"threshold":0.5')
    expect((await objects.read('b')).val).toMatchObject({
      spec: { own: { x: 1 }, comparison_operator: 'GREATER_THAN' },
    })
    await objects.create('c', {}, { builtin_object_class: 'AlertSpec' })
    expect((await objects.askRead('c', 'v0')).text).toContain('"threshold":0.0')
  })

  test('nested models get their defaults too, named in the active dialect', async () => {
    const weave = await ownServer({ env: { TRACELAKE_DIALECT: 'weave' } })
    for (const [client, prefix, member] of [
      [server, 'Ext', 'ext'],
      [weave.client, 'Weave', 'wb'],
    ] as const) {
      const objects = new ProjectObjects(client)
      await objects.create('alert', { spec: { threshold: 1 } }, { builtin_object_class: 'AlertSpec' })
      const name = `${prefix}MetricThresholdSpec`
      expect((await objects.read('alert')).val).toMatchObject({ spec: { _type: name, _class_name: name } })
      const definition = {
        filter: { op_names: ['a'], wb_user_ids: ['u'] },
        sort_by: [{ field: 'id', direction: 'asc' }],
      }
      await objects.create('view', { view_type: 't', label: 'l', definition }, { builtin_object_class: 'SavedView' })
      const bases = ['BaseModelStrict', 'BaseModel']
      const { definition: written } = (await objects.read('view')).val as { definition: Record<string, unknown> }
      expect(written['filter']).toEqual({
        _type: 'CallsFilter',
        op_names: ['a'],
        input_refs: null,
        output_refs: null,
        parent_ids: null,
        trace_ids: null,
        call_ids: null,
        thread_ids: null,
        turn_ids: null,
        trace_roots_only: null,
        [`${member}_user_ids`]: ['u'],
        [`${member}_run_ids`]: null,
        _class_name: 'CallsFilter',
        _bases: bases,
      })
      expect(written['sort_by']).toEqual([
        { _type: 'SortBy', field: 'id', direction: 'asc', _class_name: 'SortBy', _bases: bases },
      ])
      const wrong = { view_type: 't', label: 'l', definition: { filter: { wb_user_ids: 'u' } } }
      expectRefusal(await objects.askCreate('view', wrong, { builtin_object_class: 'SavedView' }), 400, 'filter')
    }
  }, 120_000)

  test.each([
    ['SavedView', { view_type: 'traces', label: 'l', definition: { pin: { left: ['a'], right: [] }, page: 1 } }],
    ['SavedView', { view_type: 't', label: 'l', definition: { query: { $expr: { $not: [] } }, cols: { a: true } } }],
    ['LLMAsAJudgeScorer', { model: 'ext:///e/p/object/m:v0', scoring_prompt: 'Is it good?' }],
    ['LLMAsAJudgeScorer', { model: { llm_model_id: 'gpt' }, scoring_prompt: 'Is it good?' }],
    [
      'AgentDashboard',
      {
        label: 'l',
        definition: {
          panels: [
            { id: 'a', layout: { x: 0, y: 0, w: 1, h: 1 }, panel_type: 'kpi', settings: { query: { metric: 'm' } } },
          ],
        },
      },
    ],
    ['AnnotationSpec', { field_schema: { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'string' } }],
  ])('%s accepts %j', async (name, val) => {
    const objects = new ProjectObjects(server)
    const digest = await objects.create('a', val, { builtin_object_class: name })
    const { val: complete } = await objects.read('a')
    // What is complete already stays as it is.
    expect(await objects.create('a', complete, { builtin_object_class: name })).toBe(digest)
    expect(await objects.create('a', complete)).toBe(digest)
  })

  test.each([
    ['Leaderboard', {}],
    ['Leaderboard', { columns: [{ scorer_name: 's' }] }],
    ['Leaderboard', 'text'],
    ['Leaderboard', [1]],
    ['Leaderboard', null],
    ['AnnotationSpec', { field_schema: { type: 'no-such-type' } }],
    ['AnnotationSpec', { unique_among_creators: 'yes' }],
    ['AlertSpec', { spec: { comparison_operator: 'NEARLY' } }],
    ['ProviderModel', { provider: 'p', max_tokens: 1.5 }],
    ['Provider', { base_url: 'https://example.com?x=1', api_key_name: 'K' }],
    ['Provider', { base_url: 'http://localhost:8000', api_key_name: 'K' }],
    ['Provider', { base_url: 'http://127.1/', api_key_name: 'K' }],
    ['Provider', { base_url: 'http://169.254.169.254/latest', api_key_name: 'K' }],
    ['Provider', { base_url: 'http://[::ffff:10.0.0.1]/', api_key_name: 'K' }],
    ['Provider', { base_url: 'ftp://example.com', api_key_name: 'K' }],
    [
      'Provider',
      { base_url: 'https://example.com', api_key_name: 'K', extra_headers: { 'Metadata-Flavor': 'Google' } },
    ],
    ['ChartConfig', { x_axis: 'a', y_axis: 'b' }],
    ['NoSuchClass', {}],
    ['constructor', {}],
    ['AnnotationSpec', { _class_name: 'Other', _bases: bases }],
    ['AnnotationSpec', { _bases: bases }],
  ])('%s rejects %j', async (name, val) => {
    const objects = new ProjectObjects(server)
    expectRefusal(
      await objects.askCreate('a', val, { builtin_object_class: name }),
      400,
      name === 'AnnotationSpec' ? '' : name,
    )
    expect(await objects.query()).toEqual([])
  })

  test('an error gives the location and the kind of fault', async () => {
    const objects = new ProjectObjects(server)
    const answer = await objects.askCreate('a', { field_schema: 7 }, { builtin_object_class: 'AnnotationSpec' })
    expectRefusal(answer, 400, 'AnnotationSpec', 'val.field_schema')
    expect(answer.json).toMatchObject({ error_type: 'ValidationError' } as never)
  })

  test('a monitor with an unknown call field in its query is rejected', async () => {
    const objects = new ProjectObjects(server)
    const monitor = (field: string) => ({
      _class_name: 'Monitor',
      _bases: ['Object', 'BaseModel'],
      query: { $expr: { $eq: [{ $getField: field }, { $literal: 1 }] } },
    })
    expectRefusal(await objects.askCreate('a', monitor('no_such_field')), 422, 'no_such_field')
    await objects.create('a', monitor('inputs.x'))
    await objects.create('a', { ...monitor('x'), query: 'any text' })
    await objects.create('a', { ...monitor('x'), query: { own: 1 } })
  })
})
