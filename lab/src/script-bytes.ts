import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { BrowserContext } from 'playwright-core'

/** Script that the agent put into one frame. */
export interface FrameScripts {
  /** Address of the frame. */
  readonly frame: string
  readonly files: readonly string[]
  readonly bytes: number
  readonly gzipBytes: number
}

/** How long scripts may arrive after the load event; milliseconds. */
const watchedMs = 2_600

/**
 * Loads a page in Chromium and lists the agent's scripts in each of its frames. Frames of other sites run in processes
 * of their own and are not listed.
 *
 * @param agentFolder the agent as it was built for Chromium
 */
export async function scriptsOfPage(
  context: BrowserContext,
  url: string,
  agent: { readonly id: string; readonly folder: string },
): Promise<readonly FrameScripts[]> {
  const page = await context.newPage()
  try {
    const session = await context.newCDPSession(page)
    const frameOf = new Map<string, string>()
    const filesOf = new Map<string, Set<string>>()
    const origin = `chrome-extension://${agent.id}/`
    session.on('Debugger.scriptParsed', ({ url: file, executionContextAuxData }) => {
      const { frameId } = (executionContextAuxData ?? {}) as { readonly frameId?: string }
      if (frameId === undefined || !file.startsWith(origin)) return
      const files = filesOf.get(frameId) ?? new Set()
      filesOf.set(frameId, files.add(file.slice(origin.length)))
    })
    session.on('Page.frameNavigated', ({ frame }) => {
      frameOf.set(frame.id, frame.url)
      filesOf.delete(frame.id)
    })
    await session.send('Page.enable')
    await session.send('Debugger.enable')
    await page.goto(url)
    await page.evaluate(`new Promise((resolve) => setTimeout(resolve, ${watchedMs}))`)
    return Array.from(filesOf, ([frameId, names]) => {
      const files = [...names].sort()
      const contents = files.map((file) => readFileSync(join(agent.folder, file)))
      return {
        frame: frameOf.get(frameId) ?? '',
        files,
        bytes: contents.reduce((sum, { length }) => sum + length, 0),
        gzipBytes: contents.reduce((sum, content) => sum + gzipSync(content, { level: 9 }).length, 0),
      }
    })
  } finally {
    await page.close()
  }
}
