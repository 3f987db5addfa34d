import type { CDPSession, Page } from 'playwright-core'
import { until } from '../../test/support/until.ts'

/** Part of a DOM node as reported by the debugging protocol, including closed shadow roots. */
interface DomNode {
  readonly backendNodeId: number
  readonly nodeName: string
  readonly nodeValue: string
  readonly children?: readonly DomNode[]
  readonly shadowRoots?: readonly DomNode[]
  readonly contentDocument?: DomNode
}

const inside = ({ children = [], shadowRoots = [], contentDocument }: DomNode): readonly DomNode[] => [
  ...shadowRoots,
  ...children,
  ...(contentDocument ? [contentDocument] : []),
]

const textOf = (node: DomNode): string => node.nodeValue + inside(node).map(textOf).join(' ')

function* within(node: DomNode): Generator<DomNode> {
  yield node
  for (const child of inside(node)) yield* within(child)
}

/** Returns all text of a page, including what the agent draws in closed shadow roots. */
export async function allText(page: Page): Promise<string> {
  return inProtocol(page, async (session) => textOf(await documentOf(session)))
}

/** Clicks a button that the agent draws over a page, with the mouse. Waits for the button. */
export async function pressInClosedRoot(page: Page, name: RegExp): Promise<void> {
  const { x, y } = await until(`button ${name}`, () =>
    inProtocol(page, async (session) => {
      for (const node of within(await documentOf(session)))
        if (node.nodeName === 'BUTTON' && name.test(textOf(node).trim())) return middleOf(session, node)
      return undefined
    }),
  )
  await page.mouse.click(x, y)
}

async function middleOf(session: CDPSession, { backendNodeId }: DomNode): Promise<{ x: number; y: number }> {
  await session.send('DOM.scrollIntoViewIfNeeded', { backendNodeId })
  const { model } = await session.send('DOM.getBoxModel', { backendNodeId })
  const [left = 0, top = 0, , , right = 0, bottom = 0] = model.border
  return { x: (left + right) / 2, y: (top + bottom) / 2 }
}

async function documentOf(session: CDPSession): Promise<DomNode> {
  const { root } = await session.send('DOM.getDocument', { depth: -1, pierce: true })
  return root
}

async function inProtocol<T>(page: Page, use: (session: CDPSession) => Promise<T>): Promise<T> {
  const session = await page.context().newCDPSession(page)
  try {
    return await use(session)
  } finally {
    await session.detach()
  }
}
