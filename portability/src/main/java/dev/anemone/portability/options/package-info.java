// SPDX-License-Identifier: Apache-2.0
/** What can be set for pipelines of other SDKs. */
package dev.anemone.portability.options;
