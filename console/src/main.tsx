import './styles/tokens.css'
import './styles/base.css'
import './styles/controls.css'
import './styles/shell.css'
import './styles/grid.css'
import './styles/marks.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { sessionEvents } from './data/console-send.ts'
import { dropSession, prefetchSession, queryClient, reloadSession } from './data/session.ts'
import { notifyTabs, watchTabs } from './data/session-tabs.ts'
import { router } from './router.tsx'
import { Toasts } from './ui/dialog/toasts.tsx'
import { keepFocus } from './ui/keys/keep-focus.ts'
import { onKeyDown } from './ui/keys/key-bindings.ts'

sessionEvents.addEventListener('signedout', () => {
  notifyTabs('changed')
  void reloadSession()
})
watchTabs({ signedOut: dropSession, changed: () => void reloadSession() })
prefetchSession()
addEventListener('keydown', onKeyDown)
keepFocus()

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Toasts />
      </QueryClientProvider>
    </StrictMode>,
  )
