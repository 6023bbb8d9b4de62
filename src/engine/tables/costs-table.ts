import { number, text, time } from './columns.ts'
import { defineTable } from './define-table.ts'

export const costsTable = defineTable({
  name: 'costs',
  description: 'Model prices that projects have set; a price never changes.',
  columns: {
    id: text('id of the price'),
    llm_id: text('model name, as token usage names it'),
    provider_id: text('provider that charges the price; `default` unless stated'),
    effective_date: time('when the price takes effect'),
    prompt_token_cost: number('price of an uncached input token'),
    completion_token_cost: number('price of an output token'),
    cache_read_input_token_cost: number('price of an input token read from a cache'),
    cache_creation_input_token_cost: number('price of an input token written to a cache'),
    prompt_token_cost_unit: text('currency of input prices'),
    completion_token_cost_unit: text('currency of output prices'),
    pricing_level: text('always `project`'),
    pricing_level_id: text('entity/project'),
    created_by: text('id of the API key that set the price'),
    created_at: time('when the price was set'),
  },
  id: 'id',
  order: ['id'],
  presence: 'llm_id',
})
