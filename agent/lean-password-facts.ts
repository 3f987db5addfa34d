import { accountSystems, passwordSites } from '../contract/src/password-facts/password-facts.ts'

/**
 * Replaces the loader of password facts, which reads files, with the data that the background needs: account systems,
 * and the few sites whose passwords it does not judge. Pages for changing a password stay on the server.
 */
export const leanPasswordFacts = () => ({
  name: 'lean-password-facts',
  enforce: 'pre' as const,
  load(id: string) {
    if (!id.split('?')[0]?.endsWith('/contract/src/password-facts/password-facts.ts')) return null
    return `const hosts = (text) => text === '' ? [] : text.split(' ')
export const accountSystems = ${JSON.stringify(leanSystems())}.map(([domains, from = '', former = '']) =>
  ({ domains: hosts(domains), from: hosts(from), former: hosts(former) }))
export const passwordSites = ${JSON.stringify(leanSites())}
`
  },
})

const leanSystems = () =>
  accountSystems.map(({ domains, from = [], former = [] }) => {
    const row = [domains.join(' '), from.join(' '), former.join(' ')]
    return row.slice(0, row.findLastIndex((text) => text !== '') + 1)
  })

const leanSites = () =>
  passwordSites
    .filter(({ appendsCode, asksForOthers }) => appendsCode || asksForOthers)
    .map(({ changeUrl: _, ...site }) => site)
