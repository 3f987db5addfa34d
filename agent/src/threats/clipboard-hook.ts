import { hookMethod } from '../page-world/hook-method.ts'
import type { PageSender } from '../page-world/page-channel.ts'

type Method = (...args: readonly unknown[]) => unknown
interface ClipboardTypes {
  readonly Clipboard?: { readonly prototype: object }
  readonly ClipboardItem?: { readonly prototype: { readonly getType: Method } }
  readonly DataTransfer?: { readonly prototype: object }
  readonly DataTransferItemList?: { readonly prototype: object }
}

/**
 * Reports text that the page is about to put on the clipboard, and refuses it if told to. Runs in the page's own world,
 * the only place where the clipboard API can be observed. The agent's own world makes the decision. Values are read
 * with the browser's original methods, which a page cannot replace, and exactly the judged values are passed on.
 */
export function hookClipboard(send: PageSender): void {
  const types = globalThis as ClipboardTypes
  const text = String
  const call = Reflect.apply
  const { iterator } = Symbol
  const OwnPromise = Promise
  const then = Promise.prototype.then as Method
  const textOf = Blob.prototype.text as Method
  const typeOf = types.ClipboardItem?.prototype.getType
  const Refusal = DOMException

  const refusal = () => OwnPromise.reject(new Refusal('Write permission denied.', 'NotAllowedError'))
  const after = (promise: unknown, done: Method, failed?: Method) => call(then, promise, [done, failed])
  const listOf = (items: readonly unknown[]) => ({
    [iterator]: () => {
      let at = 0
      return { next: () => ({ done: at >= items.length, value: items[at++] }) }
    },
  })

  hookMethod(types.Clipboard?.prototype, 'writeText', (native, args) => {
    if (args.length === 0) return native(args)
    const data = text(args[0])
    return send('COPY', data) ? refusal() : native([data])
  })
  hookMethod(types.Clipboard?.prototype, 'write', (native, args) => {
    if (args.length === 0 || !typeOf) return native(args)
    return new OwnPromise((resolve, reject) => {
      const items = [...(args[0] as Iterable<unknown>)]
      const judge = (at: number) => {
        const next = () => judge(at + 1)
        const hear = (data: unknown) => (send('COPY', text(data)) ? resolve(refusal()) : next())
        const read = (blob: unknown) => after(call(textOf, blob, []), hear, reject)
        if (at === items.length) resolve(native([listOf(items)]))
        // The item may contain no text.
        else after(call(typeOf, items[at], ['text/plain']), read, next)
      }
      judge(0)
    })
  })
  const hookData = (owner: object | undefined, name: string, dataAt: 0 | 1) =>
    hookMethod(owner, name, (native, args) => {
      if (args.length < 2) return native(args)
      const texts = [text(args[0]), text(args[1])] as const
      return send('COPY_DATA', `${texts[1 - dataAt]}\0${texts[dataAt]}`) ? undefined : native(texts)
    })
  hookData(types.DataTransfer?.prototype, 'setData', 1)
  hookData(types.DataTransferItemList?.prototype, 'add', 0)
}
