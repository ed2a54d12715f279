// SPDX-License-Identifier: Apache-2.0
package org.apache.beam.sdk.extensions.gcp.options;

/** A name by which Nexmark's query 10 asks for options that it does not read; see the package. */
public interface GcsOptions extends GcpOptions {}
