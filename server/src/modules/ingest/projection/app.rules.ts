import type { Product } from '@muster/contract/catalog/product'
import type { App } from '@muster/contract/records/app'
import type { AppOther } from '@muster/contract/records/app-other'

/** Returns the record of a catalog app that is seen for the first time. */
export const newApp = (id: string, product: Product, nowSeconds: number): App => ({
  id,
  type: product.appType,
  approvalStatus: null,
  sensitivityLevel: null,
  ownerId: null,
  notes: '',
  website: product.website,
  description: product.description,
  friendlyName: product.friendlyName,
  labels: [],
  creationTimestamp: nowSeconds,
})

/** Returns the record of an app outside the catalog that is seen for the first time. */
export const newAppOther = (id: string, domain: string, nowSeconds: number): AppOther => ({
  id,
  domain,
  requestSupportStatus: 'DISCOVERED',
  hidden: false,
  creationTimestamp: nowSeconds,
})
