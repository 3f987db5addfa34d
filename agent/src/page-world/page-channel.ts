/**
 * How the hooks in the page's own world and the agent's world in the same frame find each other. Both run before
 * the page's scripts; whichever comes second makes the first one answer, and the name that is agreed on is random,
 * so that a page can neither listen nor pretend. That does not hold for documents that a page makes itself, such as
 * that of a new empty frame: it may be there before both, so what is said there is believed where it harms nobody else.
 */
const hello = 'muster:hello'
const question = 'muster:question'

/** What the hooks speak of. */
export type PageTopic = 'COPY' | 'COPY_DATA' | 'ASSERTION' | 'FEDERATED_IDENTITY'

/** Tells the agent's world something; the answer is whether it refuses that. */
export type PageVoice = (topic: PageTopic, text: string) => boolean

/** Hears what the hooks say; true refuses it. */
export type PageEar = Readonly<Record<PageTopic, (text: string) => boolean>>

/** Opens the channel in the page's world. What a page may put others in place of later is taken now. */
export function openPageChannel(): PageVoice {
  const name = `muster:${crypto.getRandomValues(new Uint32Array(4)).join('-')}`
  const Signal = CustomEvent
  const send = EventTarget.prototype.dispatchEvent.bind(document)
  const { assign, create } = Object
  // Without a prototype, no member of it can come from one that the page has changed.
  const signal = (type: string, detail: string) =>
    send(new Signal(type, assign(create(null), { detail, cancelable: true })))
  const greet = () => signal(hello, name)
  greet()
  document.addEventListener(question, greet, { once: true })
  // Nobody asks later than this but the page.
  setTimeout(() => document.removeEventListener(question, greet))
  return (topic, text) => !signal(`${name}:${topic}`, text)
}

/** Listens in the agent's own world, from before the page runs. */
export function listenToPage(ear: PageEar): void {
  const onHello = (event: Event) => {
    if (!(event instanceof CustomEvent) || typeof event.detail !== 'string') return
    document.removeEventListener(hello, onHello)
    for (const topic of Object.keys(ear) as PageTopic[])
      document.addEventListener(`${event.detail}:${topic}`, (said) => {
        if (!(said instanceof CustomEvent) || typeof said.detail !== 'string') return
        if (ear[topic](said.detail)) said.preventDefault()
      })
  }
  document.addEventListener(hello, onHello)
  document.dispatchEvent(new CustomEvent(question))
  // The hooks run before the page's own scripts or not at all.
  queueMicrotask(() => setTimeout(() => document.removeEventListener(hello, onHello)))
}
