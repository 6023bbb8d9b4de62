/** Kinds of the jobs. */
export const jobKinds = { evaluateModel: 'evaluate_model', rescore: 'rescore', scoreCalls: 'score_calls' } as const
