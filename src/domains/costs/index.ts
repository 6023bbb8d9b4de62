/**
 * Prices of models and the costs computed from them. Other code imports this subject through this
 * file.
 */

export { Costs, priceCells, projectPrice } from './costs.ts'
export { costsApi } from './operations/index.ts'
export { modelCost, PriceBook, totalCost } from './price-book.ts'
export type { Rate } from './price-usage.ts'
export { timedRates, usageRates } from './price-usage.ts'
export { findShippedPrice } from './shipped-prices.ts'
