/**
 * Events for the handshake between the hooks in the page's own world and the agent's world in the same frame. Both run
 * before the page's scripts. The second one makes the first one answer, and the agreed name is random, so a page can
 * neither listen nor send. Documents that a page creates itself, such as an empty frame, are an exception: the page may
 * run first there, so messages from them are trusted only if they cannot harm anybody else.
 */
const hello = 'muster:hello'
const question = 'muster:question'

/** Topics of hook messages. */
type PageTopic = 'COPY' | 'COPY_DATA' | 'ASSERTION' | 'FEDERATED_IDENTITY'

/** Sends a message to the agent's world; returns true if it refuses. */
export type PageSender = (topic: PageTopic, text: string) => boolean

/** Handlers of hook messages; a handler returns true to refuse. */
export type PageListeners = Readonly<Record<PageTopic, (text: string) => boolean>>

/** Opens the channel in the page's world. Captures everything that a page may replace later. */
export function openPageChannel(): PageSender {
  const name = `muster:${crypto.getRandomValues(new Uint32Array(4)).join('-')}`
  const Signal = CustomEvent
  const send = EventTarget.prototype.dispatchEvent.bind(document)
  const { assign, create } = Object
  // Without a prototype, the page cannot supply members.
  const signal = (type: string, detail: string) =>
    send(new Signal(type, assign(create(null), { detail, cancelable: true })))
  const greet = () => signal(hello, name)
  greet()
  document.addEventListener(question, greet, { once: true })
  // After this, only the page could ask.
  setTimeout(() => document.removeEventListener(question, greet))
  return (topic, text) => !signal(`${name}:${topic}`, text)
}

/** Listens in the agent's own world. Call before the page runs. */
export function listenToPage(listeners: PageListeners): void {
  const onHello = (event: Event) => {
    if (!(event instanceof CustomEvent) || typeof event.detail !== 'string') return
    document.removeEventListener(hello, onHello)
    for (const topic of Object.keys(listeners) as PageTopic[])
      document.addEventListener(`${event.detail}:${topic}`, (said) => {
        if (!(said instanceof CustomEvent) || typeof said.detail !== 'string') return
        if (listeners[topic](said.detail)) said.preventDefault()
      })
  }
  document.addEventListener(hello, onHello)
  document.dispatchEvent(new CustomEvent(question))
  // The hooks run before the page's own scripts or not at all.
  queueMicrotask(() => setTimeout(() => document.removeEventListener(hello, onHello)))
}
