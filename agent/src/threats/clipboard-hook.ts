import { hookMethod } from '../page-world/hook-method.ts'
import type { PageVoice } from '../page-world/page-channel.ts'

/**
 * Runs in the page's own world, for there is no other place where the clipboard's interface can be seen. It
 * can do one thing: name a text that the page is about to put on the clipboard, and be told to refuse it. It
 * knows nothing, and what it says is judged by the agent's own world.
 */
export function hookClipboard(say: PageVoice): void {
  const text = String
  const refusal = () => Promise.reject(new DOMException('Write permission denied.', 'NotAllowedError'))
  const clipboard = (globalThis as { Clipboard?: typeof Clipboard }).Clipboard?.prototype
  hookMethod(clipboard, 'writeText', (native, args) => {
    if (args.length === 0) return native(args)
    const data = text(args[0])
    return say('COPY', data) ? refusal() : native([data])
  })
  hookMethod(clipboard, 'write', async (native, args) => {
    if (args.length === 0) return native(args)
    const items = Array.from(args[0] as ClipboardItems)
    for (const item of items) {
      if (!item.types.includes('text/plain')) continue
      const blob = await item.getType('text/plain')
      if (say('COPY', await blob.text())) return refusal()
    }
    return native([items])
  })
}
