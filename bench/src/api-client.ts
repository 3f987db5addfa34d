import { openConnection, requestBytes } from './http-connection.ts'

/** A page as the API gives it. */
export interface ApiPage {
  readonly 'the service': readonly Readonly<Record<string, unknown>>[]
  readonly paging: { readonly nextToken: string | null }
}

/** Asks a server of the bench by `node:http`'s own client; for what is not measured. */
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

/** The tokens of pages all over a list, at most `count` of them, and of the last. */
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
