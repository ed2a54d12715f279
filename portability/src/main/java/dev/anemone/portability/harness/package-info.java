// SPDX-License-Identifier: Apache-2.0
/** The SDK harnesses of a job: how they start, and what becomes of those that go away. */
package dev.anemone.portability.harness;
