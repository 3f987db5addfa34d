import type { App } from '@muster/contract/app'
import type { AppOther } from '@muster/contract/app-other'
import type { Product } from '@muster/contract/catalog/product'

/** An app of the catalog when it is first seen: nobody has decided anything about it. */
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

/** An app outside the catalog when it is first seen. */
export const newAppOther = (id: string, domain: string, nowSeconds: number): AppOther => ({
  id,
  domain,
  requestSupportStatus: 'DISCOVERED',
  hidden: false,
  creationTimestamp: nowSeconds,
})
