import { openConnection, requestBytes } from './http-connection.ts'

/** Page of an API response. */
export interface ApiPage {
  readonly 'the service': readonly Readonly<Record<string, unknown>>[]
  readonly paging: { readonly nextToken: string | null }
}

/** Reads a page from a server of the bench, outside of measurements. */
export async function getPage(address: string, apiKey: string, path: string): Promise<ApiPage> {
  const connection = await openConnection(address, { keepBodies: true })
  try {
    const { status, body } = await connection.ask(requestBytes('GET', path, apiKey))
    if (status !== 200) throw new Error(`${path} answered ${status}: ${body}`)
    return JSON.parse(body) as ApiPage
  } finally {
    connection.close()
  }
}

/** Returns tokens of pages that are evenly spaced over a list, at most about `count`, including the last page. */
export async function tokensOf(
  address: string,
  apiKey: string,
  list: (token: string) => string,
  count: number,
): Promise<string[]> {
  const tokens: string[] = []
  for (let token: string | null = ''; token !== null; ) {
    const page: ApiPage = await getPage(address, apiKey, list(token))
    token = page.paging.nextToken
    if (token !== null) tokens.push(token)
  }
  const step = Math.max(1, Math.floor(tokens.length / count))
  return tokens.filter((_, at) => at % step === 0 || at === tokens.length - 1)
}
