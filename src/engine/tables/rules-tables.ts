import { callsTable } from './calls-table.ts'
import { json, text, time } from './columns.ts'
import { defineTable } from './define-table.ts'
import { queuesTable } from './queue-tables.ts'

/** The project of all rows of these tables: one query finds the rules of a folder. */
export const rulesPartition = '*'

const partition = 'always `*`: the rules of all projects form one list'

export const rulesTable = defineTable({
  name: 'rules',
  description: 'What the server does with calls as they arrive. The row is replaced whenever the rule changes.',
  project: partition,
  columns: {
    id: text('id of the rule'),
    target_project_id: text('entity/project whose calls the rule applies to'),
    name: text('name; need not be unique'),
    definition: json('JSON object: conditions and action, as in the API; never a secret'),
    created_at: time('when the rule was created', { bounds: true }),
    created_by: text('id of the API key that created the rule'),
    created_by_name: text('name of that key'),
    updated_at: time('last change'),
  },
  id: 'id',
  order: ['created_at', 'id'],
  presence: 'name',
  updatedAt: 'updated_at',
  refersTo: [queuesTable, callsTable],
})

export const ruleProgressTable = defineTable({
  name: 'rule_progress',
  description: 'How far each rule has come: one row per rule, replaced as it proceeds.',
  project: partition,
  columns: {
    id: text('id of the rule'),
    progress: json('JSON object: position among the written calls, state of the alert, numbers, last error'),
    updated_at: time('last change'),
  },
  id: 'id',
  order: ['id'],
  presence: 'progress',
  updatedAt: 'updated_at',
  refersTo: [rulesTable],
})

export const ruleDeliveriesTable = defineTable({
  name: 'rule_deliveries',
  description: 'Webhook requests of rules. The row is replaced after each attempt; the newest of each rule are kept.',
  project: partition,
  columns: {
    id: text('id of the delivery, sent as `webhook-id`'),
    rule_id: text('id of the rule', { bounds: true, bloom: true }),
    type: text('rule.firing, rule.resolved or rule.test'),
    state: text('pending, delivered or failed', { bounds: true }),
    attempts: json('JSON array: the attempts so far, each with its time, status and error'),
    body: text('request body'),
    created_at: time('when the event happened', { bounds: true }),
    next_attempt_at: time('when the next attempt is made; null if there is none', { nullable: true }),
    updated_at: time('last change'),
  },
  id: 'id',
  order: ['rule_id', 'created_at', 'id'],
  presence: 'type',
  updatedAt: 'updated_at',
  refersTo: [rulesTable],
})
