import { Value } from '@sinclair/typebox/value'
import { ConfigError } from '../../../runtime/config/config-error.ts'
import { readText } from '../../../runtime/platform/files/files.ts'
import { type OperatorModel, OperatorModels } from '../model/inference.ts'
import type { CatalogModel } from './catalog-model.ts'

/**
 * Reads the operator's models from a file: `{"data": [{"id": …}]}`, each with any member of a
 * router model and `hardware`.
 *
 * @throws ConfigError naming the file and the invalid path
 */
export async function readOperatorModels(file: string): Promise<readonly OperatorModel[]> {
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
export function withOperator(model: OperatorModel, known: CatalogModel | undefined): CatalogModel {
  const { pricing } = model
  return {
    provider: known?.provider ?? model.id.split('/')[0]!,
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
