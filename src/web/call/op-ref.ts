/** The op name of a call whose source may be stored: a ref with the op's object id and digest. */
export const opRef = /^[a-z]+:\/\/\/[^/]+\/[^/]+\/op\/([^/:]+):([^/]+)$/
