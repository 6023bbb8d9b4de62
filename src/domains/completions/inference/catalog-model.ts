import type { HardwareOption, RouterModel } from '../model/inference.ts'

/** What is known of a model. Prices are in USD per token. */
export interface CatalogModel {
  readonly provider: string
  /** Value for `inputs.model` of a completion: `provider/model`. */
  readonly id: string
  readonly huggingFaceId: string | undefined
  readonly name: string
  /** `YYYY-MM-DD`. */
  readonly released: string | undefined
  readonly input: readonly string[]
  readonly output: readonly string[]
  readonly quantization: RouterModel['quantization'] | undefined
  readonly contextLength: number
  readonly outputLength: number
  readonly prices: { readonly input: number; readonly output: number; readonly cached: number } | undefined
  readonly samplingParameters: RouterModel['supported_sampling_parameters']
  readonly features: RouterModel['supported_features']
  readonly countries: readonly string[]
  readonly deprecated: string | undefined
  readonly hardware: readonly HardwareOption[]
}

/**
 * The name of a model without provider and publisher: `wandb/deepseek-ai/DeepSeek-V3` is
 * `DeepSeek-V3`.
 */
export const bareName = ({ id }: CatalogModel): string => id.slice(id.lastIndexOf('/') + 1)
