import { Option } from 'commander'

/** Options that locate an object store, unless the settings of AWS do. */
export const storeOptions = (): Option[] => [
  new Option('--endpoint <url>', 'address of a store other than Amazon S3 (AWS_ENDPOINT_URL_S3)'),
  new Option('--region <name>', 'region of the bucket (AWS_REGION)'),
  new Option('--addressing <style>', 'how the bucket is addressed; default: virtual for Amazon S3, else path').choices([
    'path',
    'virtual',
  ]),
]
