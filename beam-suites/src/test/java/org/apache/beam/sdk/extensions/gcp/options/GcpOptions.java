// SPDX-License-Identifier: Apache-2.0
package org.apache.beam.sdk.extensions.gcp.options;

import org.apache.beam.sdk.options.PipelineOptions;

/** A name that {@code NexmarkOptions} extends; see the package. */
public interface GcpOptions extends PipelineOptions {}
