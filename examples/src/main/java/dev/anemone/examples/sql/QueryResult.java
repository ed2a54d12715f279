// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.sql;

import java.time.Duration;
import java.util.List;
import org.apache.beam.sdk.metrics.MetricResults;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;

/**
 * What a query gave.
 *
 * @param schema the columns
 * @param rows in the order of the query's ORDER BY
 * @param time from when the runner got the pipeline until that was done; SQL was planned before
 * @param metrics what the runner has counted
 */
public record QueryResult(Schema schema, List<Row> rows, Duration time, MetricResults metrics) {}
