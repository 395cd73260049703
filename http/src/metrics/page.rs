//! A page of metrics, written series by series.

use std::time::Duration;

use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric, MetricEncoder, NoLabelSet};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use switchboard_engine::histogram::HistogramSnapshot;

use super::Written;
use super::route_times::RouteTimesRead;

/// A page of metrics in the making.
pub(super) struct Page<'a>(pub(super) DescriptorEncoder<'a>);

impl Page<'_> {
    pub(super) fn count(&mut self, name: &str, help: &str, count: u64) -> Written {
        let counter = ConstCounter::new(count);
        let kind = counter.metric_type();
        counter.encode(self.0.encode_descriptor(name, help, None, kind)?)
    }

    pub(super) fn counts(
        &mut self,
        name: &str,
        help: &str,
        label: &str,
        counts: &[(&str, u64)],
    ) -> Written {
        let kind = MetricType::Counter;
        let mut family = self.0.encode_descriptor(name, help, None, kind)?;
        for (word, count) in counts {
            let labels = [(label, *word)];
            ConstCounter::new(*count).encode(family.encode_family(&labels)?)?;
        }
        Ok(())
    }

    pub(super) fn seconds(&mut self, name: &str, help: &str, time: Duration) -> Written {
        let counter = ConstCounter::new(time.as_secs_f64());
        let kind = counter.metric_type();
        counter.encode(self.0.encode_descriptor(name, help, None, kind)?)
    }

    pub(super) fn gauge(&mut self, name: &str, help: &str, value: u64) -> Written {
        let gauge = ConstGauge::new(signed(value));
        let kind = gauge.metric_type();
        gauge.encode(self.0.encode_descriptor(name, help, None, kind)?)
    }

    pub(super) fn gauges(
        &mut self,
        name: &str,
        help: &str,
        label: &str,
        values: &[(&str, u64)],
    ) -> Written {
        let kind = MetricType::Gauge;
        let mut family = self.0.encode_descriptor(name, help, None, kind)?;
        for (word, value) in values {
            let labels = [(label, *word)];
            ConstGauge::new(signed(*value)).encode(family.encode_family(&labels)?)?;
        }
        Ok(())
    }

    pub(super) fn decimal(&mut self, name: &str, help: &str, value: f64) -> Written {
        let gauge = ConstGauge::new(value);
        let kind = gauge.metric_type();
        gauge.encode(self.0.encode_descriptor(name, help, None, kind)?)
    }

    pub(super) fn times(&mut self, name: &str, help: &str, times: &HistogramSnapshot) -> Written {
        let kind = MetricType::Histogram;
        let encoder = self.0.encode_descriptor(name, help, None, kind)?;
        histogram(encoder, times)
    }

    pub(super) fn route_times(
        &mut self,
        name: &str,
        help: &str,
        routes: &[RouteTimesRead],
    ) -> Written {
        let kind = MetricType::Histogram;
        let mut family = self.0.encode_descriptor(name, help, None, kind)?;
        for read in routes {
            let labels = [("method", read.method), ("route", read.route)];
            histogram(family.encode_family(&labels)?, &read.times)?;
        }
        Ok(())
    }
}

fn histogram(mut encoder: MetricEncoder<'_>, times: &HistogramSnapshot) -> Written {
    let finite = times.bounds.iter().map(Duration::as_secs_f64);
    let bounds = finite.chain([f64::INFINITY]);
    let buckets: Vec<_> = bounds.zip(times.counts.iter().copied()).collect();
    encoder.encode_histogram::<NoLabelSet>(times.sum.as_secs_f64(), times.count(), &buckets, None)
}

fn signed(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}
