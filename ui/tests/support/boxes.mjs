// What is wrong with a page by the boxes of what it shows: what runs out of its frame, what is cut off, what lies over
// something else, and what is too small for a finger. Measured in the browser, so that no picture has to be compared.

/**
 * Everything that is wrong with the boxes of this page, one line each; empty for a page that is right.
 *
 * Deliberate are: what scrolls up and down, `pre` and `.scrolls` that scroll sideways, an ellipsis (but not in a heading, a button, the
 * navigation or a count), a clamp of lines, and a layer with a `z-index` above the rest. `touch` asks for targets that a
 * finger meets.
 */
export function wrongBoxes(page, { touch = false } = {}) {
  return page.evaluate(measure, { touch });
}

// Runs in the page: it may use nothing from here.
function measure({ touch }) {
  /** What the browser rounds, and what lines of text reach above and below their line, in pixels. */
  const [ROUNDING, LINE] = [1.5, 4];
  /** The width of a space, in pixels. */
  const SPACE = 6;
  /** The least that a target measures, in pixels: for every pointer, and for a finger. */
  const [TARGET, FINGER] = [24, 40];
  const CONTROLS = 'a[href], button, input:not([type=hidden]), select, textarea, summary';
  const NEVER_CUT = 'h1, button, .button, nav, label, .count, .badge, [role=status]';

  const wrong = new Set();
  const styles = new Map();
  const style = (element) => {
    let found = styles.get(element);
    if (found === undefined) styles.set(element, (found = getComputedStyle(element)));
    return found;
  };
  const boxes = new Map();
  const box = (element) => {
    let found = boxes.get(element);
    if (found === undefined) boxes.set(element, (found = element.getBoundingClientRect()));
    return found;
  };
  const parents = (element) => {
    const all = [];
    for (let it = element.parentElement; it !== null; it = it.parentElement) all.push(it);
    return all;
  };
  const name = (element) => {
    const { id, classList } = element;
    const own = element.localName + (id && !/^P?\d|:/.test(id) ? `#${id}` : '') + [...classList].map((it) => `.${it}`).join('');
    const owner = element.parentElement?.closest('[class]');
    const text = (element.innerText ?? '').trim().replaceAll(/\s+/g, ' ').slice(0, 40);
    return `${owner ? `${owner.localName}.${[...owner.classList].join('.')} > ` : ''}${own}${text ? ` «${text}»` : ''}`;
  };
  const px = (rect) => `${Math.round(rect.left)},${Math.round(rect.top)} to ${Math.round(rect.right)},${Math.round(rect.bottom)}`;

  // Text for screen readers alone is there for them, and what is not shown is nothing to measure.
  const isHidden = (element) => {
    const isUnseen = [element, ...parents(element)].some((it) => style(it).clipPath !== 'none');
    return isUnseen || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };
  /** The dialog or layer that an element is in: what is in another lies above or below on purpose. */
  const layer = (element) =>
    [element, ...parents(element)].find((it) => {
      const { position, zIndex } = style(it);
      return (it.localName === 'dialog' && it.open) || (position !== 'static' && zIndex !== 'auto');
    });
  const modal = document.querySelector('dialog:modal');
  const isBehind = (element) => modal !== null && !modal.contains(element);

  const scrolls = (element, axis) => /auto|scroll/.test(style(element)[axis]);
  const isOutOfFlow = (element) => /absolute|fixed/.test(style(element).position);
  const isShortened = (element) => {
    const { textOverflow, webkitLineClamp } = style(element);
    return textOverflow === 'ellipsis' || (webkitLineClamp !== 'none' && webkitLineClamp !== '');
  };
  /** Whether somebody who scrolls sees it, but nobody does now. */
  const isScrolledAway = (element, rect) =>
    [element, ...parents(element)].some((it) => {
      const frame = box(it);
      const above = scrolls(it, 'overflowY') && (rect.bottom <= frame.top || rect.top >= frame.bottom);
      const aside = scrolls(it, 'overflowX') && (rect.right <= frame.left || rect.left >= frame.right);
      return above || aside;
    });
  /** What is seen of it: the rest is scrolled away, or cut off. */
  const seen = ({ element, rect, isText }) => {
    let { left, top, right, bottom } = rect;
    for (const it of isText ? [element, ...parents(element)] : parents(element)) {
      const { overflowX, overflowY, display } = style(it);
      if (display === 'inline' || display === 'contents') continue;
      const frame = box(it);
      if (overflowX !== 'visible') [left, right] = [Math.max(left, frame.left), Math.min(right, frame.right)];
      if (overflowY !== 'visible') [top, bottom] = [Math.max(top, frame.top), Math.min(bottom, frame.bottom)];
    }
    return { left, top, right, bottom };
  };

  /** Every piece of text and every picture: the element that it belongs to, and where it is. */
  const pieces = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const isText = node.nodeType === Node.TEXT_NODE;
    const element = isText ? node.parentElement : node;
    if (isText ? node.data.trim() === '' : !/^(svg|img|video)$/.test(node.localName)) continue;
    if (element.closest('script, style, option, title') !== null || isBehind(element) || isHidden(element)) continue;
    let rects = [box(element)];
    if (isText) {
      const range = document.createRange();
      range.selectNodeContents(node);
      rects = [...range.getClientRects()];
      // The space at the end of a line hangs over its edge, as a box of its own.
      if (rects.length > 1) rects = rects.filter((rect) => rect.width > SPACE);
    }
    for (const rect of rects) {
      if (rect.width >= 1 && rect.height >= 1) pieces.push({ element, rect, isText });
    }
  }
  const targets = [...document.querySelectorAll(`${CONTROLS}, [tabindex="0"]`)]
    .filter((it) => !isBehind(it) && !isHidden(it) && !it.disabled)
    .map((element) => ({ element, rect: box(element), isText: false }))
    .filter(({ rect }) => rect.width > 0 && rect.height > 0);

  // The page is as wide as the window, and nothing scrolls sideways but what is meant to.
  const root = document.scrollingElement;
  if (root.scrollWidth > innerWidth) wrong.add(`the page is ${root.scrollWidth} wide in a window of ${innerWidth}`);
  if (root.scrollHeight > innerHeight + 1) wrong.add(`the page is ${root.scrollHeight} high in a window of ${innerHeight}: its frame scrolls away`);
  for (const element of document.body.querySelectorAll('*')) {
    if (element.scrollWidth <= element.clientWidth + 1 || isBehind(element) || isHidden(element)) continue;
    if (!scrolls(element, 'overflowX') || element.matches('pre, .scrolls, input, textarea, select')) continue;
    wrong.add(`${name(element)} scrolls sideways: ${element.scrollWidth} in ${element.clientWidth}`);
  }

  // What is shown lies within the boxes that it is in, unless those scroll. What is positioned stands where it was put, and
  // only what cuts it off counts.
  const inside = ({ element, rect, isText }) => {
    if (isScrolledAway(element, rect)) return;
    const room = isText ? LINE : ROUNDING;
    let [across, down] = [true, true];
    let isPut = !isText && isOutOfFlow(element);
    for (const frame of isText ? [element, ...parents(element)] : parents(element)) {
      const { display, overflowX, overflowY } = style(frame);
      if (display !== 'inline' && display !== 'contents') {
        if (scrolls(frame, 'overflowX')) across = false;
        if (scrolls(frame, 'overflowY')) down = false;
        const around = box(frame);
        const counts = (overflow) => !isPut || overflow !== 'visible';
        const isAside = across && counts(overflowX) && (rect.right > around.right + ROUNDING || rect.left < around.left - ROUNDING);
        const isBeyond = down && counts(overflowY) && (rect.bottom > around.bottom + room || rect.top < around.top - room);
        const isAllowed = isShortened(frame) && frame.closest(NEVER_CUT) === null;
        if ((isAside || isBeyond) && !isAllowed) {
          const isCut = (isAside && overflowX !== 'visible') || (isBeyond && overflowY !== 'visible');
          wrong.add(`${name(element)} (${px(rect)}) ${isCut ? 'is cut off by' : 'runs out of'} ${name(frame)} (${px(around)})`);
          return;
        }
        if (isAllowed) return;
      }
      if (isOutOfFlow(frame)) isPut = true;
    }
    const isAside = across && (rect.right > innerWidth + ROUNDING || rect.left < -ROUNDING);
    const isBeyond = down && (rect.bottom > innerHeight + room || rect.top < -room);
    if (isAside || isBeyond) wrong.add(`${name(element)} (${px(rect)}) runs out of the window`);
  };
  for (const piece of pieces) inside(piece);
  for (const target of targets) inside(target);

  // Nothing lies over anything else of the same layer: neither targets nor what is read.
  const compare = (all, room) => {
    const shown = all.map((it) => ({ ...it, seen: seen(it), layer: layer(it.element) }));
    for (const [at, a] of shown.entries()) {
      for (const b of shown.slice(at + 1)) {
        const across = Math.min(a.seen.right, b.seen.right) - Math.max(a.seen.left, b.seen.left);
        const down = Math.min(a.seen.bottom, b.seen.bottom) - Math.max(a.seen.top, b.seen.top);
        if (across <= room || down <= room || a.layer !== b.layer) continue;
        if (a.element.contains(b.element) || b.element.contains(a.element)) continue;
        wrong.add(`${name(a.element)} (${px(a.rect)}) and ${name(b.element)} (${px(b.rect)}) lie over each other`);
      }
    }
  };
  compare(targets, ROUNDING);
  compare(pieces, LINE);

  // A pointer meets each target, and a finger too. A link within a sentence is as high as its line.
  for (const { element, rect } of targets) {
    const isInLine = element.localName === 'a' && style(element).display === 'inline';
    // What has the focus only to be scrolled is no target.
    if (isInLine || !element.matches(CONTROLS) || isScrolledAway(element, rect)) continue;
    const label = element.matches('input[type=checkbox], input[type=radio]') ? element.closest('label') : null;
    const { width, height } = label === null ? rect : box(label);
    const least = touch ? FINGER : TARGET;
    if (width < least - 0.5 || height < least - 0.5) {
      wrong.add(`${name(element)} is ${Math.round(width)}×${Math.round(height)}: less than ${least} for ${touch ? 'a finger' : 'a pointer'}`);
    }
  }

  // The reader sees which page this is.
  const title = document.querySelector('main h1');
  if (title !== null && modal === null && !isHidden(title)) {
    const [rect, frame] = [box(title), box(title.closest('main'))];
    if (rect.top < frame.top - ROUNDING || rect.bottom > frame.bottom) wrong.add(`the heading (${px(rect)}) is not in sight (${px(frame)})`);
  }
  return [...wrong];
}
