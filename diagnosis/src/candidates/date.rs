//! Another moment was signed than was sent.

/// A date as it is written, a moment earlier and later: who asks for the time twice gets two of them.
pub(super) fn a_moment_from(date: &[u8]) -> Vec<Vec<u8>> {
    const DAY: i32 = 24 * 60 * 60;
    let Some(place) = date.windows(8).position(is_time) else {
        return Vec::new();
    };
    let (before, rest) = date.split_at(place);
    let (time, after) = rest.split_at(8);
    let number = |place: usize| {
        let digit = |place: usize| time.get(place).map_or(0, |digit| i32::from(digit - b'0'));
        digit(place) * 10 + digit(place + 1)
    };
    let second = (number(0) * 60 + number(3)) * 60 + number(6);
    let others = [-2, -1, 1, 2].map(|apart| second + apart);
    let of_the_day = others.iter().filter(|other| (0..DAY).contains(*other));
    of_the_day
        .map(|other| {
            let time = format!(
                "{:02}:{:02}:{:02}",
                other / 3_600,
                other / 60 % 60,
                other % 60
            );
            [before, time.as_bytes(), after].concat()
        })
        .collect()
}

/// Returns whether the text has the form `23:12:55`.
fn is_time(text: &[u8]) -> bool {
    text.iter().enumerate().all(|(place, byte)| match place {
        2 | 5 => *byte == b':',
        _ => byte.is_ascii_digit(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moments(date: &str) -> Vec<String> {
        let moments = a_moment_from(date.as_bytes()).into_iter();
        moments
            .map(|moment| String::from_utf8(moment).unwrap())
            .collect()
    }

    #[test]
    fn nearby_dates_keep_the_format_and_differ_by_up_to_2_seconds() {
        assert_eq!(
            moments("Wed, 15 Dec 2021 23:59:58 +0300"),
            [
                "Wed, 15 Dec 2021 23:59:56 +0300",
                "Wed, 15 Dec 2021 23:59:57 +0300",
                "Wed, 15 Dec 2021 23:59:59 +0300",
            ]
        );
        assert_eq!(
            moments("Wed, 15 Dec 2021 07:59:59 GMT")[2],
            "Wed, 15 Dec 2021 08:00:00 GMT"
        );
        for none in ["", "1639609975", "yesterday", "1:02:03", "::::::::"] {
            assert!(moments(none).is_empty(), "{none}");
        }
    }
}
