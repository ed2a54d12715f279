// SPDX-License-Identifier: Apache-2.0
/** What a running job tells run-time passes. */
package dev.anemone.ir.message;
