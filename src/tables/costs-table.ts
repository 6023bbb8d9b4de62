import { column, replaceTable } from '../kernel/table.ts'

/** Prices that projects have set: one row a price, never changed. */
export const costsTable = replaceTable({
  name: 'costs',
  columns: [
    column('id', 'text', 'id of the price'),
    column('llm_id', 'text', 'name of the model, as usage names it'),
    column('provider_id', 'text', 'who sells the model; "default" unless said otherwise'),
    column('effective_date', 'time', 'from when the price holds, UTC'),
    column('prompt_token_cost', 'number', 'price of an input token outside of caches'),
    column('completion_token_cost', 'number', 'price of an output token'),
    column('cache_read_input_token_cost', 'number', 'price of an input token read from a cache'),
    column('cache_creation_input_token_cost', 'number', 'price of an input token written to a cache'),
    column('prompt_token_cost_unit', 'text', 'currency of input prices'),
    column('completion_token_cost_unit', 'text', 'currency of output prices'),
    column('pricing_level', 'text', 'always "project"'),
    column('pricing_level_id', 'text', 'entity/project'),
    column('created_by', 'text', 'id of the API key that set the price'),
    column('created_at', 'time', 'when the price was set, UTC'),
  ],
  order: ['project_id', 'id'],
  bounded: ['project_id', 'id'],
  filtered: ['id'],
  presenceColumn: 'llm_id',
})
