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
import { queryClient, reloadSession } from './data/session.ts'
import { router } from './router.tsx'
import { keepFocus } from './ui/keep-focus.ts'
import { onKeyDown } from './ui/key-bindings.ts'
import { Toasts } from './ui/toasts.tsx'

sessionEvents.addEventListener('signedout', () => void reloadSession())
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
