import { clipboardHello, clipboardQuestion } from './clipboard-channel.ts'

/**
 * Runs in the page's own world, for there is no other place where the clipboard's interface can be seen. It
 * can do one thing: name a text that the page is about to put on the clipboard, and be told to refuse it. It
 * knows nothing, and what it says is judged by the agent's own world.
 */
export function hookClipboard(): void {
  const name = `muster:${crypto.getRandomValues(new Uint32Array(4)).join('-')}`
  // The page may put others in place of these later.
  const Signal = CustomEvent
  const send = EventTarget.prototype.dispatchEvent.bind(document)
  const hello = () => send(new Signal(clipboardHello, { detail: name }))
  hello()
  document.addEventListener(clipboardQuestion, hello, { once: true })
  // Nobody asks later than this but the page.
  setTimeout(() => document.removeEventListener(clipboardQuestion, hello))

  const isRefused = (text: string) => !send(new Signal(name, { detail: text, cancelable: true }))
  const refusal = () => Promise.reject(new DOMException('Write permission denied.', 'NotAllowedError'))
  const clipboard = (globalThis as { Clipboard?: typeof Clipboard }).Clipboard
  if (!clipboard) return
  const { writeText, write } = clipboard.prototype
  const apply = Reflect.apply
  const text = String
  const hooked = {
    writeText(this: Clipboard, data: string): Promise<void> {
      return isRefused(text(data)) ? refusal() : apply(writeText, this, [data])
    },
    async write(this: Clipboard, items: ClipboardItems): Promise<void> {
      for (const item of Array.from(items)) {
        if (!item.types.includes('text/plain')) continue
        const blob = await item.getType('text/plain')
        if (isRefused(await blob.text())) return refusal()
      }
      return apply(write, this, [items])
    },
  }
  clipboard.prototype.writeText = hooked.writeText
  clipboard.prototype.write = hooked.write
}
