import { Value } from '@sinclair/typebox/value'
import { itemAt } from '../../../lib/present.ts'
import { ConfigError } from '../../../runtime/config/config-error.ts'
import type { Clock } from '../../../runtime/platform/clock.ts'
import { readText } from '../../../runtime/platform/files/files.ts'
import {
  type CatalogEntry,
  type HardwareOption,
  type ModelsDev,
  type OperatorModel,
  OperatorModels,
  type RouterModel,
} from '../model/inference.ts'
import { bareName, type CatalogModel, listedProviders, shippedModels } from './shipped-models.ts'

/** A model for routers. @param quantization required, because routers compare models by it */
function routerModel(model: CatalogModel, quantization: RouterModel['quantization']): RouterModel {
  const { prices } = model
  return {
    id: model.id,
    hugging_face_id: model.huggingFaceId ?? '',
    name: model.name,
    created: model.released === undefined ? 0 : Date.parse(`${model.released}T00:00:00Z`) / 1000,
    input_modalities: [...model.input],
    output_modalities: [...model.output],
    quantization,
    context_length: model.contextLength,
    max_output_length: model.outputLength,
    pricing: {
      prompt: decimal(prices?.input),
      completion: decimal(prices?.output),
      image: '0',
      request: '0',
      input_cache_read: decimal(prices?.cached),
    },
    supported_sampling_parameters: [...model.samplingParameters],
    supported_features: [...model.features],
    datacenters: model.countries.map((country_code) => ({ country_code })),
    ...(model.deprecated !== undefined && { deprecation_date: model.deprecated }),
  }
}

/** A model with full details. */
function catalogEntry(model: CatalogModel): CatalogEntry {
  const { prices, deprecated } = model
  return {
    provider: model.provider,
    id: model.id,
    idPlayground: model.id,
    idHuggingFace: model.huggingFaceId ?? null,
    label: model.name,
    labelOpenRouter: `${model.provider}: ${model.name}`,
    status: deprecated === undefined ? 'available' : 'deprecated',
    lifecycleStage: deprecated === undefined ? 'GA' : 'deprecated',
    launchDate: model.released ?? null,
    modalities: { input: [...model.input], output: [...model.output] },
    contextWindow: model.contextLength,
    maxOutputTokens: model.outputLength,
    quantization: model.quantization ?? null,
    features: [...model.features],
    priceCentsPerBillionTokensInput: cents(prices?.input, 1e9),
    priceCentsPerBillionTokensCached: cents(prices?.cached, 1e9),
    priceCentsPerBillionTokensOutput: cents(prices?.output, 1e9),
  }
}

/** Where a model runs: as given by the operator, otherwise at its provider, priced by token. */
function hardwareOptions({ provider, id, hardware, prices }: CatalogModel): readonly HardwareOption[] {
  if (hardware.length > 0 || prices === undefined) return hardware
  const pricing = {
    cents_per_million_input_tokens: centsFor(prices.input, 1e6),
    cents_per_million_output_tokens: centsFor(prices.output, 1e6),
  }
  return [
    { id: `${provider}-serverless`, name: `${provider} serverless`, type: 'serverless', pricing, specs: { model: id } },
  ]
}

/** A price without exponent and binary rounding noise. */
const decimal = (price = 0): string => price.toFixed(14).replace(/\.?0+$/, '')

const cents = (price: number | undefined, tokens: number): number | null =>
  price === undefined ? null : centsFor(price, tokens)

const centsFor = (price: number, tokens: number): number => Number((price * tokens * 100).toPrecision(12))

/**
 * Reads the operator's models from a file: `{"data": [{"id": …}]}`, each with any member of a
 * router model and `hardware`.
 *
 * @throws ConfigError naming the file and the invalid path
 */
async function readOperatorModels(file: string): Promise<readonly OperatorModel[]> {
  const content = await readJson(file)
  if (Value.Check(OperatorModels, content)) return content.data
  const [error] = Value.Errors(OperatorModels, content)
  throw new ConfigError(
    `Invalid model catalog "${file}" (TRACELAKE_MODEL_CATALOG): ${error?.path || '/'}: ` +
      `${error?.message ?? 'unknown format'}`,
  )
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readText(file))
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new ConfigError(`Cannot read the model catalog "${file}" (TRACELAKE_MODEL_CATALOG): ${why}`, { cause })
  }
}

/** A model as described by the operator; omitted members are taken from `known`. */
function withOperator(model: OperatorModel, known: CatalogModel | undefined): CatalogModel {
  const { pricing } = model
  return {
    provider: known?.provider ?? itemAt(model.id.split('/'), 0),
    id: model.id,
    huggingFaceId: model.hugging_face_id ?? known?.huggingFaceId,
    name: model.name ?? known?.name ?? model.id,
    released: model.created === undefined ? known?.released : dayOf(model.created),
    input: model.input_modalities ?? known?.input ?? ['text'],
    output: model.output_modalities ?? known?.output ?? ['text'],
    quantization: model.quantization ?? known?.quantization,
    contextLength: model.context_length ?? known?.contextLength ?? 0,
    outputLength: model.max_output_length ?? known?.outputLength ?? 0,
    prices: pricing === undefined ? known?.prices : pricesOf(pricing),
    samplingParameters: model.supported_sampling_parameters ?? known?.samplingParameters ?? [],
    features: model.supported_features ?? known?.features ?? [],
    countries: model.datacenters?.map(({ country_code }) => country_code) ?? known?.countries ?? [],
    deprecated: model.deprecation_date ?? known?.deprecated,
    hardware: model.hardware ?? known?.hardware ?? [],
  }
}

const dayOf = (unixSeconds: number): string => new Date(unixSeconds * 1000).toISOString().slice(0, 10)

const pricesOf = (pricing: NonNullable<OperatorModel['pricing']>) => ({
  input: Number(pricing.prompt),
  output: Number(pricing.completion),
  cached: Number(pricing.input_cache_read),
})

/**
 * Models available to completions: built-in ones, and those that the operator adds or corrects.
 * See docs/decisions/041-model-list.md.
 */
export class ModelCatalog {
  private readonly operatorModels: readonly OperatorModel[]
  private readonly clock: Clock
  private loaded: Promise<readonly CatalogModel[]> | undefined

  private constructor(operatorModels: readonly OperatorModel[], clock: Clock) {
    this.operatorModels = operatorModels
    this.clock = clock
  }

  /** @param file the operator's models. @throws ConfigError if it cannot be read */
  static async open(file: string | undefined, clock: Clock): Promise<ModelCatalog> {
    return new ModelCatalog(file === undefined ? [] : await readOperatorModels(file), clock)
  }

  /** Models with a known quantization: open-weight models and those of the operator. */
  async routerModels(): Promise<RouterModel[]> {
    return (await this.models()).flatMap((model) =>
      model.quantization === undefined ? [] : [routerModel(model, model.quantization)],
    )
  }

  async entries(): Promise<CatalogEntry[]> {
    return (await this.models()).map(catalogEntry)
  }

  /**
   * Providers of models with a name. @param name with or without provider and publisher,
   * case-insensitive
   */
  async hardware(name: string): Promise<HardwareOption[]> {
    const wanted = name.toLowerCase()
    const found = (await this.models()).filter(
      (model) => bareName(model).toLowerCase() === wanted || model.id.toLowerCase() === wanted,
    )
    return found.flatMap((model) => [...hardwareOptions(model)])
  }

  /** The models.dev catalog as shipped, including providers that completions do not support. */
  async modelsDev(): Promise<ModelsDev> {
    return { ...(await listedProviders()) }
  }

  private models(): Promise<readonly CatalogModel[]> {
    this.loaded ??= this.load()
    return this.loaded
  }

  private async load(): Promise<readonly CatalogModel[]> {
    const byId = new Map((await shippedModels(this.clock.nowMs())).map((model) => [model.id, model]))
    for (const model of this.operatorModels) byId.set(model.id, withOperator(model, byId.get(model.id)))
    return [...byId.values()]
  }
}
