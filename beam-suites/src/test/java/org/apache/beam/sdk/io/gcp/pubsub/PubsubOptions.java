// SPDX-License-Identifier: Apache-2.0
package org.apache.beam.sdk.io.gcp.pubsub;

import org.apache.beam.sdk.options.PipelineOptions;

/** A name that {@code NexmarkOptions} extends, as {@code GcpOptions} is. */
public interface PubsubOptions extends PipelineOptions {}
