import { products } from '../contract/src/catalog/products.ts'

/**
 * Replaces the catalog loader, which reads a file, with the data that the background needs of each product: token,
 * name, hosts and identity provider facts. Websites, descriptions, categories and second factors stay on the server.
 */
export const leanCatalog = () => ({
  name: 'lean-catalog',
  enforce: 'pre' as const,
  load(id: string) {
    if (!id.split('?')[0]?.endsWith('/contract/src/catalog/products.ts')) return null
    return `const rows = JSON.parse(${JSON.stringify(JSON.stringify(leanRows()))})
const hosts = (text) => text === '' ? [] : text.split(' ')
export const products = rows.map(([appType, friendlyName, domains, loginHosts, provider]) =>
  ({ appType, friendlyName, website: '', description: '', domains: hosts(domains), loginHosts: hosts(loginHosts), ...provider }))
`
  },
})

const leanRows = () =>
  products.map((product) => {
    const { appType, friendlyName, domains, loginHosts, identityProvider, brandWords, hostPatterns } = product
    const row = [appType, friendlyName, domains.join(' '), loginHosts.join(' ')]
    return identityProvider === undefined ? row : [...row, { identityProvider, brandWords, hostPatterns }]
  })
