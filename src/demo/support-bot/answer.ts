import { itemAt } from '../../lib/present.ts'
import { estimateTokens, type Trace } from '../traces/call-items.ts'
import { SeededRandom } from '../traces/seeded-random.ts'
import { Timeline } from '../traces/timeline.ts'
import { CallFailure, StillRunning, TraceBuilder } from '../traces/trace-builder.ts'
import { answeringModels, type ChatMessage, type ChatModel, embeddingModel, guardingModel } from './models.ts'
import { type ScheduledTurn, type Story, storyKey } from './schedule.ts'
import { type Topic, topics } from './topics.ts'

const systemPrompt =
  'You answer customers of a shop for household goods. Be brief and friendly, use the articles and tools that you ' +
  'are given, and say so ' +
  'when you do not know. Never promise money or dates that the tools do not confirm. '.repeat(6)

const articlesWanted = 4
const toolFailureRate = 0.06
const rateLimitRate = 0.03
const outageRate = 0.02

/** Place of a trace in its story. */
export interface TraceIdentity {
  readonly projectId: string
  readonly story: Story
  /** Number of the trace in the story. */
  readonly index: number
}

/**
 * One turn of a support conversation as a trace: retrieval, tools, answers by several vendors'
 * models, and what can go wrong.
 */
export function answerTurn(turn: ScheduledTurn, { projectId, story, index }: TraceIdentity): Trace {
  const random = new SeededRandom(story.seed * 1_000_003 + index)
  const builder = new TraceBuilder({
    projectId,
    key: [...storyKey(story), index],
    threadId: turn.threadId,
    attributes: { environment: random.chance(0.9) ? 'production' : 'staging', release: '2.4.1', turn: turn.turn },
    time: new Timeline(turn.beginsMs, random),
  })
  builder.turnId = builder.nextId
  try {
    new SupportBot(builder, random, turn).answer()
  } catch (cause) {
    if (!(cause instanceof CallFailure || cause instanceof StillRunning)) throw cause
  }
  return builder.trace()
}

class SupportBot {
  private readonly builder: TraceBuilder
  private readonly random: SeededRandom
  private readonly turn: ScheduledTurn
  private readonly topic: Topic
  private readonly question: string

  constructor(builder: TraceBuilder, random: SeededRandom, turn: ScheduledTurn) {
    this.builder = builder
    this.random = random
    this.turn = turn
    // A customer stays with one topic for the whole conversation.
    this.topic = itemAt(topics, Number.parseInt(turn.threadId.slice(-4), 16) % topics.length)
    this.question = itemAt(this.topic.questions, turn.turn % this.topic.questions.length)
  }

  answer(): void {
    const { question, topic, turn } = this
    this.builder.call('support_bot.answer', { question, customer_id: turn.customerId, channel: 'chat' }, () => {
      const articles = this.retrieve()
      const text = this.agent(articles)
      this.guard(text)
      return { output: { answer: text, topic: topic.name, citations: [topic.article.title] } }
    })
  }

  private retrieve(): string {
    const { builder, question, topic } = this
    builder.call('support_bot.retrieve', { query: question, top_k: articlesWanted }, () => {
      const tokens = estimateTokens(question)
      builder.call('openai.embeddings.create', { model: embeddingModel, input: question }, () => {
        builder.time.pass(90)
        const usage = { requests: 1, prompt_tokens: tokens, total_tokens: tokens }
        return { output: { model: embeddingModel, dimensions: 1536 }, usage: { [embeddingModel]: usage } }
      })
      const output = builder.call('knowledge_base.search', { collection: 'articles', top_k: articlesWanted }, () => {
        builder.time.pass(35)
        const scores = Array.from({ length: articlesWanted }, () => Math.round(this.random.fraction() * 1000) / 1000)
        return { output: this.rerank(scores) }
      })
      return { output }
    })
    return topic.article.text
  }

  private rerank(scores: readonly number[]): unknown {
    const { builder, topic } = this
    return builder.call('knowledge_base.rerank', { query: this.question, scores }, () => {
      builder.time.pass(60)
      const [best = 0, ...others] = [...scores].sort((a, b) => b - a)
      const first = { title: topic.article.title, score: best }
      return { output: [first, ...others.map((score, index) => ({ title: `Article ${index + 2}`, score }))] }
    })
  }

  private agent(article: string): string {
    const { builder, question, random, topic } = this
    const model = random.pick(answeringModels)
    const messages: ChatMessage[] = [
      { role: 'system', content: `${systemPrompt}\n\n${article}` },
      { role: 'user', content: question },
    ]
    return builder.call('support_bot.agent', { model: model.name, question }, () => {
      this.complete(model, messages, `Let me look that up (${topic.tool.name}).`)
      const found = this.useTool()
      const toolCall = { name: topic.tool.name, arguments: JSON.stringify({ customer_id: this.turn.customerId }) }
      const exchange: ChatMessage[] = [
        ...messages,
        { role: 'assistant', content: '', tool_calls: [{ id: 'call_1', type: 'function', function: toolCall }] },
        { role: 'tool', tool_call_id: 'call_1', content: JSON.stringify(found) },
      ]
      if (this.turn.running) throw new StillRunning()
      if (random.chance(outageRate)) this.fail(model, exchange, 'APIConnectionError: connection reset by peer')
      const text = found === null ? 'I cannot reach our order system right now. Please try again soon.' : topic.answer
      this.complete(model, exchange, text)
      return { output: text }
    })
  }

  /** A model's answer; now and then only on the second try. */
  private complete(model: ChatModel, messages: readonly ChatMessage[], text: string): void {
    const { builder, random } = this
    if (random.chance(rateLimitRate)) {
      try {
        this.fail(model, messages, 'RateLimitError: 429 Too Many Requests')
      } catch (cause) {
        if (!(cause instanceof CallFailure)) throw cause
        builder.time.pass(1_500)
      }
    }
    builder.call(model.opName, { model: model.name, messages, temperature: 0.2 }, (id) => {
      const usage = model.usage(messages, text, random)
      builder.time.passGenerating(estimateTokens(text))
      return { output: model.answer(id, text, usage), usage: { [model.name]: usage } }
    })
  }

  private fail(model: ChatModel, messages: readonly ChatMessage[], exception: string): void {
    this.builder.call(model.opName, { model: model.name, messages, temperature: 0.2 }, () => {
      this.builder.time.pass(800)
      throw new CallFailure(exception)
    })
  }

  /** The tool's result; null if the tool failed, which does not stop the bot. */
  private useTool(): unknown {
    const { builder, random, topic, turn } = this
    const fails = random.chance(toolFailureRate)
    try {
      return builder.call(`tool.${topic.tool.name}`, { customer_id: turn.customerId }, () => {
        const output = builder.call('http.request', { method: 'GET', path: topic.tool.path }, () => {
          builder.time.pass(fails ? 5_000 : 110)
          if (fails) throw new CallFailure('ServiceError: 504 Gateway Timeout')
          return { output: { status: 200, body: topic.tool.result } }
        })
        return { output: output.body }
      })
    } catch (cause) {
      if (!(cause instanceof CallFailure)) throw cause
      return null
    }
  }

  private guard(text: string): void {
    this.builder.call('support_bot.guardrail', { text }, () => {
      const verdict = JSON.stringify({ safe: true })
      this.complete(guardingModel, [{ role: 'user', content: `Is this answer safe to send? ${text}` }], verdict)
      return { output: { safe: true, confidence: Math.round(900 + this.random.fraction() * 100) / 1000 } }
    })
  }
}
