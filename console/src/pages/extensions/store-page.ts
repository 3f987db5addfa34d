/** Page of an extension in a store, where its publisher is shown. */
export interface StorePage {
  readonly store: string
  readonly url: string
}

/** Stores by the host of the update URL. Firefox add-ons from the store have no update URL. */
const stores: Readonly<Record<string, readonly [store: string, page: string]>> = {
  'clients2.google.com': ['Chrome Web Store', 'https://chromewebstore.google.com/detail/'],
  'edge.microsoft.com': ['Microsoft Edge Add-ons', 'https://microsoftedge.microsoft.com/addons/detail/'],
}

/** Returns the store page of an extension; undefined if it does not come from a known store. */
export function storePage(extensionId: string, updateUrl: string | null): StorePage | undefined {
  const found = stores[URL.parse(updateUrl ?? '')?.hostname ?? '']
  // Other IDs are not from these stores, whatever their update URL says.
  if (!found || !/^[a-p]{32}$/.test(extensionId)) return undefined
  const [store, page] = found
  return { store, url: `${page}${extensionId}` }
}
