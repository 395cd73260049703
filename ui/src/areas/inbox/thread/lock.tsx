/** A lock beside words that say the same. It is drawn here, as the first page does without it. */
export function Lock() {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="16" height="16" aria-hidden="true" focusable="false">
      <path d="M6 11h12v9H6zM8.5 11V7.5a3.5 3.5 0 0 1 7 0V11M12 14.5v2" />
    </svg>
  );
}
