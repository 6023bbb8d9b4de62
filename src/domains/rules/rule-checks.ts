import { findObjectRef } from '../../formats/dialect/parsed-ref.ts'
import { DomainError, quoted } from '../../lib/errors.ts'
import { present } from '../../lib/present.ts'
import { isPublicUrl } from '../../runtime/outbound/guard-address.ts'
import type { ProjectWriter } from '../access/index.ts'
import { planRows } from '../calls/index.ts'
import type { EvaluationEngine } from '../evaluations/index.ts'
import type { AnnotationQueues } from '../queues/index.ts'
import type { Rule, RuleActionSent, RuleCondition, RuleCreate, RuleUpdate } from './model/rules.ts'
import type { RuleDefinition } from './stored-rule.ts'

const nameForm = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/
/** Set by the server or by HTTP itself. */
const reserved =
  /^(?:host|content-(?:length|type|encoding)|transfer-encoding|connection|keep-alive|te|trailer|upgrade|webhook-.*)$/i

/** The names of headers that a rule may send. @throws DomainError InvalidRequest */
function checkHeaders(headers: Readonly<Record<string, string>>): string[] {
  for (const [name, value] of Object.entries(headers)) {
    if (!nameForm.test(name)) refuse(`Invalid header name ${quoted(name)}`)
    if (reserved.test(name)) refuse(`The header ${quoted(name)} cannot be set`)
    if (!/^[\x20-\x7e]*$/.test(value)) refuse(`The value of the header ${quoted(name)} must be printable ASCII text`)
  }
  return Object.keys(headers)
}

/** Checks rules before they are stored. */
export class RuleChecks {
  private readonly engine: EvaluationEngine
  private readonly queues: AnnotationQueues
  private readonly privateHosts: readonly string[]

  constructor(options: { engine: EvaluationEngine; queues: AnnotationQueues; privateHosts: readonly string[] }) {
    this.engine = options.engine
    this.queues = options.queues
    this.privateHosts = options.privateHosts
  }

  /**
   * The definition of a rule: the requested members, and for the others those it had before.
   *
   * @throws DomainError InvalidRequest, InvalidField, NotFound; ValidationError
   */
  async definition(
    writer: ProjectWriter,
    requested: RuleCreate | RuleUpdate,
    before?: RuleDefinition,
  ): Promise<RuleDefinition> {
    const { filter, query, sample_rate, daily_cost_max, condition, is_paused } = requested
    const action = requested.action
      ? await this.action(writer, requested.action)
      : present(before, 'The rule to change').action
    const isWebhook = action.kind === 'webhook'
    const definition: RuleDefinition = {
      filter: filter ?? before?.filter ?? null,
      // Null removes a query, which cannot be empty.
      query: query === undefined ? (before?.query ?? null) : query,
      sample_rate: sample_rate ?? before?.sample_rate ?? 1,
      daily_cost_max: action.kind === 'score' ? capOf(daily_cost_max ?? before?.daily_cost_max) : null,
      condition: condition ? conditionOf(condition) : isWebhook ? (before?.condition ?? null) : null,
      action,
      is_paused: is_paused ?? before?.is_paused ?? false,
    }
    // Compiled once here, so that a rule that cannot match is refused.
    planRows(writer, { filter: definition.filter, query: definition.query ?? undefined })
    if (isWebhook) checkAlert(definition)
    else if (condition) refuse('`condition` is for rules with a webhook; others handle every call that matches')
    if (action.kind !== 'score' && daily_cost_max) refuse('`daily_cost_max` is for rules that score')
    if (!isWebhook && requested.signing_secret) refuse('`signing_secret` is for rules with a webhook')
    return definition
  }

  private async action(writer: ProjectWriter, action: RuleActionSent): Promise<Rule['action']> {
    switch (action.kind) {
      case 'score':
        return { kind: action.kind, scorer_refs: await this.scorers(writer, action.scorer_refs) }
      case 'add_to_queue':
        await this.queues.queues.require(writer, action.queue_id)
        return { kind: action.kind, queue_id: action.queue_id, display_fields: action.display_fields ?? [] }
      case 'webhook':
      case 'forward':
        this.checkUrl(action.url)
        return { kind: action.kind, url: action.url, header_names: checkHeaders(action.headers ?? {}) }
    }
  }

  /** Refs that do not move, but for those of the latest version. */
  private async scorers(writer: ProjectWriter, refs: readonly string[]): Promise<string[]> {
    const isLatest = (ref: string) => findObjectRef(ref)?.version === 'latest'
    const pinned = await this.engine.checkScorers(writer, refs)
    const moving = refs.filter(isLatest)
    if (moving.length === 0) return pinned
    const others = refs.filter((ref) => !isLatest(ref))
    return [...new Set([...(others.length === 0 ? [] : await this.engine.checkScorers(writer, others)), ...moving])]
  }

  /** The addresses behind the name are checked whenever it is contacted. */
  private checkUrl(text: string): void {
    const url = URL.parse(text)
    if (url === null || !/^https?:$/.test(url.protocol))
      refuse(`Invalid \`url\` ${quoted(text)}: use an http or https URL`)
    if (url.username !== '' || url.password !== '') refuse('`url` must not contain credentials; use `headers`')
    if (url.hash !== '') refuse('`url` must not contain a fragment')
    if (!isPublicUrl(url.origin, this.privateHosts)) {
      refuse(
        `The host ${quoted(url.host)} of \`url\` is private; the operator can allow it with TRACELAKE_PRIVATE_HOSTS`,
      )
    }
  }
}

/** 0 is none. */
const capOf = (dollars: number | null | undefined): number | null => dollars || null

function checkAlert({ condition, filter, query, sample_rate }: RuleDefinition): void {
  if (condition === null) refuse('A rule with a webhook needs a `condition`')
  if (sample_rate !== 1) refuse('`sample_rate` does not apply to rules with a webhook: they measure all calls')
  if (condition.metric !== 'score_avg') return
  if (condition.scorer === null) refuse('The metric `score_avg` needs the name of a `scorer`')
  const hasFilter = filter !== null && Object.values(filter).some((value) => value !== null && value !== undefined)
  if (hasFilter || query !== null) refuse('`filter` and `query` do not apply to the metric `score_avg`')
}

const conditionOf = ({ metric, comparison, threshold, window_seconds, ...others }: RuleCondition) => ({
  metric,
  comparison,
  threshold,
  window_seconds,
  calls_min: others.calls_min ?? 0,
  scorer: others.scorer ?? null,
  score_path: others.score_path ?? null,
})

function refuse(why: string): never {
  throw new DomainError('InvalidRequest', why)
}
