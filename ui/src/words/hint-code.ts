// The codes of the hints that the service gives with refusals.

/** What a hint names. */
export interface HintDetails {
  length?: number;
  set?: string;
  seconds?: number;
  name?: string;
  channel?: string;
  compared?: string;
  wrong?: string | null;
  meant?: string | null;
}

export type HintCode =
  | 'missing'
  | 'base64'
  | 'prefixed'
  | 'dashes'
  | 'no_digest'
  | 'hex_decoded_secret'
  | 'secret_with_newline'
  | 'secret_decorated'
  | 'secret_in_other_case'
  | 'channel_id_as_key'
  | 'account_id_as_key'
  | 'hmac_md5'
  | 'sha256'
  | 'plain_hash'
  | 'swapped'
  | 'trailing_newline'
  | 'empty_body'
  | 'reserialised'
  | 'stringified'
  | 'ascii'
  | 'signed_in'
  | 'sent_in'
  | 'byte_order_mark'
  | 'encoded_twice'
  | 'other_normal_form'
  | 'in_letters'
  | 'signed_plain_and_sent_compressed'
  | 'html_escapes'
  | 'percent_escapes'
  | 'printed_object'
  | 'part_of_body'
  | 'raw_body'
  | 'not_raw_body'
  | 'separator'
  | 'newline_at_end'
  | 'order'
  | 'method_lower_case'
  | 'other_method'
  | 'header_names'
  | 'path_form'
  | 'other_path'
  | 'full_url'
  | 'query'
  | 'type_left_out'
  | 'type_changed'
  | 'date_left_out'
  | 'date_missing'
  | 'date_twice'
  | 'date_unreadable'
  | 'date_outside'
  | 'md5_left_out'
  | 'md5_missing'
  | 'md5_base64'
  | 'md5_upper_case'
  | 'md5_of_something_else'
  | 'md5_alone'
  | 'body_and_md5'
  | 'header_twice'
  | 'pinned_to2019'
  | 'other_channel'
  | 'unexplained_signature'
  | 'disconnect_by_delete'
  | 'react_without_id'
  | 'own_conversation_id'
  | 'own_message_id'
  | 'scope_for_channel'
  | 'unknown_channel_of_scope'
  | 'unknown_channel'
  | 'not_connected'
  | 'unknown_account'
  | 'account_not_allowed'
  | 'channel_removed'
  | 'no_such_path';

export type HintsWords = Record<HintCode, (it: HintDetails) => string>;

/** To the nearest one: an offset of hours reads as such. */
export const minutes = (seconds: number): number => Math.floor((Math.abs(seconds) + 30) / 60);
