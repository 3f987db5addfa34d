import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'

/** Scripts that the agent injected into one frame. */
export interface FrameScripts {
  /** Address of the frame. */
  readonly frame: string
  /** Paths in the agent's folder. */
  readonly files: readonly string[]
}

/**
 * Records which scripts of an extension run in which frame of a tab. Cross-site frames run in other processes and are
 * not recorded.
 *
 * @returns function that returns the records of the current frames
 */
export async function watchScripts(page: Page, extensionId: string): Promise<() => readonly FrameScripts[]> {
  const session = await page.context().newCDPSession(page)
  const addressOf = new Map<string, string>()
  const filesOf = new Map<string, Set<string>>()
  const origin = `chrome-extension://${extensionId}/`
  session.on('Debugger.scriptParsed', ({ url, executionContextAuxData }) => {
    const { frameId } = (executionContextAuxData ?? {}) as { readonly frameId?: string }
    if (frameId === undefined || !url.startsWith(origin)) return
    filesOf.set(frameId, (filesOf.get(frameId) ?? new Set<string>()).add(url.slice(origin.length)))
  })
  session.on('Page.frameNavigated', ({ frame }) => {
    addressOf.set(frame.id, frame.url)
  })
  session.on('Page.frameStartedNavigating', ({ frameId }) => filesOf.delete(frameId))
  session.on('Page.frameDetached', ({ frameId }) => filesOf.delete(frameId))
  await session.send('Page.enable')
  await session.send('Debugger.enable')
  return () =>
    Array.from(filesOf, ([frameId, files]) => ({
      frame: addressOf.get(frameId) ?? '',
      files: [...files].sort(),
    }))
}

/** Returns the total size of files in a folder, plain and gzipped one by one. */
export function sizeOf(folder: string, files: readonly string[]): { bytes: number; gzipBytes: number } {
  const contents = files.map((file) => readFileSync(join(folder, file)))
  return {
    bytes: contents.reduce((sum, { length }) => sum + length, 0),
    gzipBytes: contents.reduce((sum, content) => sum + gzipSync(content, { level: 9 }).length, 0),
  }
}
