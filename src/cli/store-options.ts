import { Option } from 'commander'

/** Where the store of an address is, if the settings of AWS do not say so. */
export const storeOptions = (): Option[] => [
  new Option('--endpoint <url>', "address of a store that is not Amazon's (AWS_ENDPOINT_URL_S3)"),
  new Option('--region <name>', 'region of the bucket (AWS_REGION)'),
  new Option('--addressing <style>', "where the bucket is named; default: path for other stores than Amazon's").choices(
    ['path', 'virtual'],
  ),
]
