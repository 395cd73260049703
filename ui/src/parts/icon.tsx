// The pictures of the console, drawn here: nothing is loaded for them. They never stand without a word.

const PATHS = {
  inbox: 'M3 13l3-8h12l3 8v6H3zM3 13h5l1.5 3h5L16 13h5',
  leads: 'M4 4h6v16H4zM14 4h6v10h-6z',
  contacts: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 20c1-4 4-6 8-6s7 2 8 6',
  users: 'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c.8-3.6 3.2-5.5 6.5-5.5s5.7 1.9 6.5 5.5M16 4.5a3.5 3.5 0 0 1 0 6.5M18 15c2 .8 3.2 2.5 3.5 5',
  roles: 'M12 3l7 3v6c0 4-3 7-7 9-4-2-7-5-7-9V6zM9 12l2 2 4-4',
  rights: 'M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5v.1M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z',
  callbacks: 'M4 8h13l-3-3M20 16H7l3 3',
  requests: 'M12 3v11m0 0l-4-4m4 4l4-4M4 15v5h16v-5',
  channels: 'M9 4L7 20M17 4l-2 16M4 9h16M4 15h16',
  health: 'M3 12h4l3-7 4 14 3-7h4',
  unread: 'M3 6h12M3 6v12h18v-7M3 6l9 7 4-3M19 7a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM20 20l-4.6-4.6',
  plus: 'M12 5v14M5 12h14',
  close: 'M6 6l12 12M18 6L6 18',
  back: 'M15 5l-7 7 7 7',
  attach: 'M20 11l-8.5 8.5a5 5 0 0 1-7-7L13 4a3.4 3.4 0 0 1 5 5l-8.5 8.5a1.7 1.7 0 0 1-2.5-2.5L15 7',
  send: 'M4 12l16-8-5 16-3-7z',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  checks: 'M2 12.5l4.5 4.5L16 7.5M11 15.5l1.5 1.5L22 7.5',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.5 2',
  retry: 'M20 11a8 8 0 1 0-2.3 6M20 5v6h-6',
  warning: 'M12 4l9.5 16h-19zM12 10v5M12 17.5v.1',
  stopped: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM5.7 5.7l12.6 12.6',
  paused: 'M9 5v14M15 5v14',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
  picture: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9.5v.1',
  more: 'M5 12v.1M12 12v.1M19 12v.1',
  menu: 'M4 7h16M4 12h16M4 17h16',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M5 19l2-2M17 7l2-2',
  keyboard: 'M3 6h18v12H3zM7 10v.1M11 10v.1M15 10v.1M8 14h8',
  edit: 'M4 20l1-4L16 5l3 3L8 19z',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  link: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  place: 'M12 21c-4-5-6-8-6-11a6 6 0 0 1 12 0c0 3-2 6-6 11zM12 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  braces: 'M9 4c-3 0-3 2-3 4s0 4-3 4c3 0 3 2 3 4s0 4 3 4M15 4c3 0 3 2 3 4s0 4 3 4c-3 0-3 2-3 4s0 4-3 4',
  plug: 'M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4',
  key: 'M8 19a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM11 12l9-9M16 7l3 3',
  worlds: 'M12 17.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM16.6 8.9c2.7-.8 4.5-.8 4.9.3.6 1.7-3.2 4.6-8.5 6.5s-10.1 2.1-10.5.4c-.4-1.1 1-2.7 3.3-4.3',
  globe: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18',
} as const;

export type IconName = keyof typeof PATHS;

/** A picture beside words that say the same. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="18" height="18" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
